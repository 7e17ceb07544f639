// Sweeps on request: all open merge requests of a project or group are evaluated again.
import * as z from 'zod'
import { readSweep } from '../../../journal/journal.ts'
import type { SweepRecord } from '../../../journal/types.ts'
import { flag, why } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { accepted, getRoute, ok, postRoute } from '../route.ts'

export const sweepRoutes = [
  postRoute('start_sweep', '/sweeps', 'replay', {
    doc: 'Starts a sweep of a project or group.',
    input: z.strictObject({
      of: z.string().trim().min(1).max(500).describe('Id or full path of a project or group.'),
      dry_run: flag.default(false).describe('Only list what would be evaluated.'),
      why,
    }),
    responses: { 202: schemas.sweep },
    handle: async ({ input }, { sweep }) => accepted(await sweep(input.of, input.dry_run)),
  }),
  getRoute('show_sweep', '/sweeps/{id}', {
    doc: 'Shows the progress and the results of a sweep.',
    params: z.object({ id: z.string() }),
    responses: { 200: schemas.sweep },
    errors: { 404: 'There is no sweep with that id within the last day.' },
    async handle({ params }, { journal }) {
      const found = await readSweep(journal, params.id)
      return found && ok(withProjects(found))
    },
  }),
]

/** Adds its project to each merge request, so that the response names it (run-route.ts). */
const withProjects = (record: SweepRecord): SweepRecord => ({
  ...record,
  projects: record.projects.map((each) => ({
    ...each,
    enqueued: each.enqueued.map((of) => ({ project: each.project, ...of })),
  })),
})
