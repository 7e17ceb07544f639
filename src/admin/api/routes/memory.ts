// The memory of a merge request, or of the project itself: for `bellhop explain --bellhop`.
import * as z from 'zod'
import type { Memory, Occurrence } from '../../../rules/types.ts'
import { iidOrProject, integer, project } from '../inputs.ts'
import { ok, route } from '../route.ts'

/** Memory with the pushes to the named branch, and the pending events. */
export interface MemoryResponse {
  service: string
  memory: Memory
  events: Occurrence[]
  mergeRequestPipelines: boolean
}

export const memoryRoutes = [
  route({
    name: 'show_memory',
    withoutNames: true,
    path: '/merge-requests/{project}/{iid}/memory',
    doc: 'Shows the memory and the pending events of a merge request; iid 0 is the project itself.',
    params: z.object({ project, iid: iidOrProject }),
    input: z.strictObject({
      source_project: integer.optional(),
      source_branch: z.string().min(1).max(2000).optional(),
    }),
    responses: {
      200: z.object({
        service: z.string(),
        memory: z.looseObject({}),
        events: z.array(z.looseObject({ id: z.string() })),
        mergeRequestPipelines: z.boolean(),
      }),
    },
    async handle({ params, input: { source_project: source, source_branch: branch } }, { journal, service }) {
      const ref = { service, ...params }
      const pending = await journal.pendingEvents(ref)
      const response: MemoryResponse = {
        service,
        memory: {
          ...((await journal.memory(ref)) ?? { rules: {} }),
          pushes:
            source === undefined || branch === undefined
              ? []
              : await journal.pushes({ service, project: source, branch }),
        },
        events: pending.flatMap(({ deliveryId, event, replay }) =>
          replay === undefined ? [{ id: deliveryId, event }] : [],
        ),
        mergeRequestPipelines:
          (await journal.projectMark(service, ref.project, 'merge request pipelines')) !== undefined,
      }
      return ok(response)
    },
  }),
]
