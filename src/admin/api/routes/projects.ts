// A project: its deliveries, decisions, pause and hook, and the names of its merge requests and issues.
import * as z from 'zod'
import { noProjectCounts } from '../../../journal/tables/counts.ts'
import { refName } from '../../../rules/facts/definition/subject-ref.ts'
import type { AdminContext } from '../../admin-context.ts'
import { project, refOf, subjects } from '../inputs.ts'
import type { HookHealth } from '../response-schemas.ts'
import * as schemas from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'

const projectResponse = z.object({
  project: z.int(),
  ...schemas.names,
  lastDelivery: schemas.time.optional(),
  ...schemas.counts,
  hook: schemas.hook,
  paused: schemas.pausedProject.nullable(),
})
export type ProjectResponse = z.output<typeof projectResponse>

export type MergeRequestResponse = z.output<typeof schemas.mergeRequestRef>

export const projectRoutes = [
  ...subjects.map(({ of, a, path, params: taken, subject }) =>
    getRoute(`show_${of}`, path, {
      subject,
      doc: `Shows what ${a} is called and where the service shows it, as far as it is known.`,
      params: taken,
      responses: { 200: schemas.mergeRequestRef },
      handle: async ({ params }) => ok(refOf({ ...params, subject })),
    }),
  ),
  getRoute('show_project', '/projects/{project}', {
    doc: 'Shows the counts of a project within the retention time, whether it is paused, and its hook; zeros for an unknown project.',
    params: z.object({ project }),
    responses: { 200: projectResponse },
    async handle({ params: { project: id } }, context) {
      const counts = (await context.journal.counts.projects([id], new Date(context.now()))).get(id) ?? noProjectCounts
      const paused = (await context.paused.list()).find((each) => each.project === id) ?? null
      return ok<ProjectResponse>({ ...counts, ...(await hookStatus(context, id)), project: id, paused })
    },
  }),
]

/** The hook of a project; null without Bellhop's own address. */
export async function hookStatus(
  { journal, hookHealth }: AdminContext,
  project: number,
): Promise<{ hook: HookHealth | null }> {
  if (hookHealth === undefined) return { hook: null }
  const [name] = await journal.mergeRequests.names([{ project }])
  return { hook: await hookHealth({ id: project, path: refName({ project, ...name }) }) }
}
