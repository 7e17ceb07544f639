// One project: its deliveries and decisions, whether it is paused, and its hook.
import * as z from 'zod'
import { integer } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { ok, route } from '../route.ts'
import { hookStatus } from './hooks.ts'

const projectResponse = z.object({
  ...{ project: z.int(), path: z.string(), lastDelivery: schemas.time.optional(), ...schemas.counts },
  ...{ hook: schemas.hook, paused: schemas.pausedProject.nullable() },
})
export type ProjectResponse = z.output<typeof projectResponse>

export const projectRoutes = [
  route({
    name: 'show_project',
    path: '/projects/{project}',
    doc: 'Shows the counts of a project within the retention time, whether it is paused, and its hook; zeros for an unknown project.',
    params: z.object({ project: integer }),
    responses: { 200: projectResponse },
    async handle({ params: { project } }, context) {
      const counts = await context.journal.projectCounts(context.service, project, new Date(context.now()))
      const paused = (await context.paused.list()).find((each) => each.project === project) ?? null
      const response: ProjectResponse = { ...counts, ...(await hookStatus(context, project)), project, paused }
      return ok(response)
    },
  }),
]
