// One project: what came in from it and was decided, whether it is paused, and what the hosting service says of its hook.
import * as z from 'zod'
import type { ProjectTally } from '../../journal/types.ts'
import type { PausedProject } from '../desk.ts'
import { integer, nothing } from '../inputs.ts'
import { ok, route } from '../route.ts'
import * as shapes from '../shapes.ts'
import { hookOf, type ProjectHook } from './hooks.ts'

export interface ProjectAnswer extends ProjectTally, Pick<ProjectHook, 'project' | 'path' | 'hook'> {
  /** Null where it is not. */
  paused: PausedProject | null
}

export const projectRoutes = [
  route({
    name: 'show_project',
    method: 'get',
    path: '/projects/{project}',
    scope: 'read',
    doc: 'What came in from a project and was decided, as long as the history is kept; whether it is paused; and its hook. Of one that was never heard of, nothing.',
    params: z.object({ project: integer }),
    input: nothing,
    answers: {
      200: z.object({
        ...{ project: z.int(), path: z.string(), lastDelivery: z.iso.datetime().optional(), ...shapes.counted },
        ...{ hook: shapes.hook, paused: shapes.pausedProject.nullable() },
      }),
    },
    async handle({ params: { project } }, desk) {
      const tally = await desk.journal.projectTally(desk.service, project, new Date(desk.now()))
      const paused = (await desk.paused.list()).find((each) => each.project === project) ?? null
      const answer: ProjectAnswer = { ...tally, ...(await hookOf(desk, project)), project, paused }
      return ok(answer)
    },
  }),
]
