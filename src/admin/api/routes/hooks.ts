// Hooks: the deliveries of each project, and its hook as the hosting service reports it.
import * as z from 'zod'
import type { AdminContext, HookHealth } from '../../admin-context.ts'
import { noInput } from '../inputs.ts'
import { listKnownProjects, nextPage, projectsPage } from '../known-projects.ts'
import * as schemas from '../response-schemas.ts'
import { ok, route } from '../route.ts'

const projectHook = z.object({
  project: z.int(),
  path: z.string(),
  deliveries: schemas.count,
  unread: schemas.count,
  lastDelivery: schemas.time.optional(),
  hook: schemas.hook,
})
export type ProjectHook = z.output<typeof projectHook>

const concurrency = 4

export const hookRoutes = [
  route({
    name: 'list_hooks',
    method: 'get',
    path: '/hooks',
    scope: 'read',
    doc: 'Lists the projects that sent deliveries, with their hooks as the service reported them in the last five minutes.',
    params: noInput,
    input: z.strictObject(projectsPage),
    responses: { 200: z.object({ items: z.array(projectHook), next: nextPage }) },
    async handle({ input }, context) {
      const { projects, next } = await listKnownProjects(context, input)
      const items: ProjectHook[] = []
      for (let from = 0; from < projects.length; from += concurrency)
        items.push(
          ...(await Promise.all(projects.slice(from, from + concurrency).map((each) => readHook(context, each)))),
        )
      return ok({ items, ...next })
    },
  }),
]

async function readHook(context: AdminContext, project: number): Promise<ProjectHook> {
  const { journal, service, now } = context
  const { deliveries, unread, lastDelivery } = await journal.projectCounts(service, project, new Date(now()))
  const last = lastDelivery === undefined ? {} : { lastDelivery }
  return { project, deliveries, unread, ...last, ...(await hookStatus(context, project)) }
}

/** The path of a project if it is known, and its hook. */
export async function hookStatus(
  { rulesInProject, hookHealth }: AdminContext,
  project: number,
): Promise<{ path: string; hook: HookHealth | null }> {
  const path = (await rulesInProject(project))?.projectPath ?? `project ${project}`
  return { path, hook: hookHealth === undefined ? null : await hookHealth({ id: project, path }) }
}
