// One project: its deliveries and decisions, whether it is paused, and its hook.
import * as z from 'zod'
import type { PausedProject, ProjectCounts } from '../../../journal/types.ts'
import { integer, noInput } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { ok, route } from '../route.ts'
import { hookStatus, type ProjectHook } from './hooks.ts'

export interface ProjectResponse extends ProjectCounts, Pick<ProjectHook, 'project' | 'path' | 'hook'> {
  paused: PausedProject | null
}

export const projectRoutes = [
  route({
    name: 'show_project',
    method: 'get',
    path: '/projects/{project}',
    scope: 'read',
    doc: 'Shows the counts of a project within the retention time, whether it is paused, and its hook; zeros for an unknown project.',
    params: z.object({ project: integer }),
    input: noInput,
    responses: {
      200: z.object({
        ...{ project: z.int(), path: z.string(), lastDelivery: schemas.time.optional(), ...schemas.counts },
        ...{ hook: schemas.hook, paused: schemas.pausedProject.nullable() },
      }),
    },
    async handle({ params: { project } }, context) {
      const counts = await context.journal.projectCounts(context.service, project, new Date(context.now()))
      const paused = (await context.paused.list()).find((each) => each.project === project) ?? null
      const response: ProjectResponse = { ...counts, ...(await hookStatus(context, project)), project, paused }
      return ok(response)
    },
  }),
]
