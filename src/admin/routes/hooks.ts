// Hooks: what came in from each project, and what the hosting service says of its hook.
import * as z from 'zod'
import type { ProjectTally } from '../../journal/types.ts'
import type { Desk, HookHealth } from '../desk.ts'
import { nothing } from '../inputs.ts'
import { knownAfter, nextPage, projectsPage } from '../known-projects.ts'
import { ok, route } from '../route.ts'
import * as shapes from '../shapes.ts'

export interface ProjectHook extends Pick<ProjectTally, 'deliveries' | 'unread' | 'lastDelivery'> {
  project: number
  path: string
  /** Null where Bellhop is not told by which address hooks reach it. */
  hook: HookHealth | null
}

const atOnce = 4
const count = z.int().nonnegative()

export const hookRoutes = [
  route({
    name: 'list_hooks',
    method: 'get',
    path: '/hooks',
    scope: 'read',
    doc: 'The projects that deliveries came from: when the last one came, and what the hosting service says of the hook, as it was asked in the last five minutes.',
    params: nothing,
    input: z.strictObject(projectsPage),
    answers: {
      200: z.object({
        items: z.array(
          z.object({
            ...{ project: z.int(), path: z.string(), deliveries: count, unread: count, lastDelivery: z.iso.datetime().optional() },
            hook: shapes.hook,
          }),
        ),
        next: nextPage,
      }),
    },
    async handle({ input }, desk) {
      const { projects, next } = await knownAfter(desk, input)
      const items: ProjectHook[] = []
      for (let from = 0; from < projects.length; from += atOnce)
        items.push(...(await Promise.all(projects.slice(from, from + atOnce).map((project) => projectHook(desk, project)))))
      return ok({ items, ...next })
    },
  }),
]

async function projectHook(desk: Desk, project: number): Promise<ProjectHook> {
  const { journal, service, now } = desk
  const { deliveries, unread, lastDelivery } = await journal.projectTally(service, project, new Date(now()))
  const last = lastDelivery === undefined ? {} : { lastDelivery }
  return { project, deliveries, unread, ...last, ...(await hookOf(desk, project)) }
}

/** The path of a project as far as it is known, and what the service says of its hook. */
export async function hookOf({ rulesOf, hookHealth }: Desk, project: number): Promise<Pick<ProjectHook, 'path' | 'hook'>> {
  const path = (await rulesOf(project))?.projectPath ?? `project ${project}`
  return { path, hook: hookHealth === undefined ? null : await hookHealth({ id: project, path }) }
}
