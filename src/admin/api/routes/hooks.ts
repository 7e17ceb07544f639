// Hooks: the deliveries of each project, and its hook as the hosting service reports it.
import * as z from 'zod'
import { noProjectCounts } from '../../../journal/tables/counts.ts'
import { refName } from '../../../rules/facts/definition/subject-ref.ts'
import type { AdminContext } from '../../admin-context.ts'
import { projectList } from '../known-projects.ts'
import * as schemas from '../response-schemas.ts'

const projectHook = z.object({
  project: z.int(),
  ...schemas.names,
  deliveries: schemas.count,
  unread: schemas.count,
  lastDelivery: schemas.time.optional(),
  hook: schemas.hook,
})
export type ProjectHook = z.output<typeof projectHook>

export const hookRoutes = [
  projectList('list_hooks', '/hooks', {
    doc: 'Lists the projects that sent deliveries, with their hooks as the service reported them in the last five minutes.',
    item: projectHook,
    read: readHook,
  }),
]

async function readHook(context: AdminContext, project: number): Promise<ProjectHook> {
  const { journal, now } = context
  const counts = await journal.counts.projects([project], new Date(now()))
  const { deliveries, unread, lastDelivery } = counts.get(project) ?? noProjectCounts
  return { project, deliveries, unread, lastDelivery, ...(await hookStatus(context, project)) }
}

/** The hook of a project; null without Bellhop's own address. */
export async function hookStatus(
  { journal, hookHealth }: AdminContext,
  project: number,
): Promise<Pick<ProjectHook, 'hook'>> {
  if (hookHealth === undefined) return { hook: null }
  const [name] = await journal.mergeRequests.names([{ project }])
  return { hook: await hookHealth({ id: project, path: refName({ project, ...name }) }) }
}
