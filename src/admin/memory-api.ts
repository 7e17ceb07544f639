// What a running bot remembers about one merge request, or about the project itself: for `bellhop explain --bellhop`. Reads only.
import { Router } from 'express'
import { z } from 'zod'
import type { Journal } from '../journal/types.ts'
import type { Memory, Occurrence } from '../rules/types.ts'
import { authenticate } from './authenticate.ts'

export interface MemoryApiOptions {
  journal: Journal
  /** The service's name in refs. */
  service: string
  token: string | undefined
}

/** The answer: memory with who pushed to the branch that was named, and the events that wait to be judged. */
export interface MemoryAnswer {
  service: string
  memory: Memory
  events: Occurrence[]
  mergeRequestPipelines: boolean
}

const place = z.object({ project: z.coerce.number().int().positive(), iid: z.coerce.number().int().nonnegative() })
const source = z.strictObject({
  source_project: z.coerce.number().int().positive().optional(),
  source_branch: z.string().min(1).max(2000).optional(),
})

/** `GET /admin/api/merge-requests/:project/:iid/memory`; the iid 0 is the project itself. 401 without the token, 400 for what is not understood. */
export function memoryApi({ journal, service, token }: MemoryApiOptions): Router {
  const router = Router()
  router.use('/admin/api/merge-requests', authenticate(token))
  router.get('/admin/api/merge-requests/:project/:iid/memory', async (request, response) => {
    const [of, from] = [place.safeParse(request.params), source.safeParse(request.query)]
    if (!of.success) return void response.status(400).json({ error: z.prettifyError(of.error) })
    if (!from.success) return void response.status(400).json({ error: z.prettifyError(from.error) })
    const { source_project: project, source_branch: branch } = from.data
    const ref = { service, ...of.data }
    const mail = await journal.mailbox(ref)
    const answer: MemoryAnswer = {
      service,
      memory: {
        ...((await journal.memory(ref)) ?? { rules: {} }),
        pushes: project === undefined || branch === undefined ? [] : await journal.pushes({ service, project, branch }),
      },
      events: mail.map(({ deliveryId, event }) => ({ id: deliveryId, event })),
      mergeRequestPipelines: (await journal.projectMark(service, ref.project, 'merge request pipelines')) !== undefined,
    }
    response.json(answer)
  })
  return router
}
