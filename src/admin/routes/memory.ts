// What a running bot remembers about one merge request, or about the project itself: for `bellhop explain --bellhop`.
import * as z from 'zod'
import type { Memory, Occurrence } from '../../rules/types.ts'
import { iidOrProject, integer } from '../inputs.ts'
import { ok, route } from '../route.ts'

/** The answer: memory with who pushed to the branch that was named, and the events that wait to be judged. */
export interface MemoryAnswer {
  service: string
  memory: Memory
  events: Occurrence[]
  mergeRequestPipelines: boolean
}

export const memoryRoutes = [
  route({
    name: 'show_memory',
    method: 'get',
    path: '/merge-requests/{project}/{iid}/memory',
    scope: 'read',
    doc: 'What is remembered of a merge request; the iid 0 is the project itself.',
    params: z.object({ project: integer, iid: iidOrProject }),
    input: z.strictObject({ source_project: integer.optional(), source_branch: z.string().min(1).max(2000).optional() }),
    answers: {
      200: z.object({
        service: z.string(),
        memory: z.looseObject({}),
        events: z.array(z.looseObject({ id: z.string() })),
        mergeRequestPipelines: z.boolean(),
      }),
    },
    async handle({ params, input: { source_project: project, source_branch: branch } }, { journal, service }) {
      const ref = { service, ...params }
      const mail = await journal.mailbox(ref)
      const answer: MemoryAnswer = {
        service,
        memory: {
          ...((await journal.memory(ref)) ?? { rules: {} }),
          pushes: project === undefined || branch === undefined ? [] : await journal.pushes({ service, project, branch }),
        },
        events: mail.flatMap(({ deliveryId, event, replay }) => (replay === undefined ? [{ id: deliveryId, event }] : [])),
        mergeRequestPipelines: (await journal.projectMark(service, ref.project, 'merge request pipelines')) !== undefined,
      }
      return ok(answer)
    },
  }),
]
