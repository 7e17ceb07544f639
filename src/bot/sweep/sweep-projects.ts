// Which projects a sweep covers: those that send deliveries, and those of the bot user's memberships.
import type { Client } from '../../client/create-client.ts'
import type { Pages } from '../../client/pages.ts'
import { fitsProject } from '../../rules/language/patterns/patterns.ts'
import type { Context } from '../context.ts'
import type { CallBudget } from '../service/call-budget.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { type ProjectToSweep, readMark } from './sweep-mark.ts'

const maxPages = 20
const deepestGroup = 10

/** Neither a project nor a group that the token can see. */
export class NothingToSweep extends Error {
  override readonly name = 'NothingToSweep'
}

/**
 * Those that were not swept to the end since `askedAt`, longest unswept first. Projects that send deliveries come first;
 * those of mere memberships never delay them. Throws what client and journal throw.
 */
export async function projectsToSweep(
  context: Context,
  askedAt: number,
  budget: CallBudget,
): Promise<{ delivering: ProjectToSweep[]; memberOnly: ProjectToSweep[] }> {
  const { client, journal, operator } = context
  const known = await journal.projects.known()
  // Finding projects must leave budget to sweep them.
  const members = await memberships(client, budget.part(Math.ceil(budget.left / 4)))
  const delivering = known.map((project) => withPath(project, members.get(project)))
  const isNamed = (path: string) =>
    operator.operatorFiles.some(({ rules: { projects } }) => projects !== undefined && fitsProject(projects, path))
  const memberOnly = [...members]
    .filter(([project]) => !known.includes(project))
    .map(([project, path]) => withPath(project, path, isNamed(path) ? 'named' : 'own_rules'))
  return { delivering: await due(context, delivering, askedAt), memberOnly: await due(context, memberOnly, askedAt) }
}

/**
 * The project, or the projects of the group and its subgroups, within budget and limits. Throws NothingToSweep, and
 * what the client throws.
 */
export async function projectsNamed(
  { client }: Context,
  of: string,
  budget: CallBudget,
): Promise<{ projects: ProjectToSweep[]; complete: boolean }> {
  if (!budget.take('call')) return { projects: [], complete: false }
  try {
    const { id, path_with_namespace } = (await client.projects.get({ id: of })).body
    if (id !== undefined) return { projects: [withPath(id, path_with_namespace)], complete: true }
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  try {
    return await projectsOfGroup(client, of, budget, deepestGroup)
  } catch (error) {
    if (!isNotFound(error)) throw error
    throw new NothingToSweep(`There is no project and no group ${of} that Bellhop’s user can see.`, { cause: error })
  }
}

async function projectsOfGroup(
  client: Client,
  group: string | number,
  budget: CallBudget,
  deep: number,
): Promise<{ projects: ProjectToSweep[]; complete: boolean }> {
  const own = await collect(
    client.pages(client.groups.projects, { id: group, archived: false, per_page: 100 }, { maxPages }),
    budget,
  )
  const projects = own.items.flatMap(({ id, path_with_namespace }) =>
    id === undefined ? [] : [withPath(id, path_with_namespace)],
  )
  const inner = await collect(client.pages(client.groups.subgroups, { id: group, per_page: 100 }, { maxPages }), budget)
  let complete = own.complete && inner.complete && (deep > 0 || inner.items.length === 0)
  for (const { id } of deep > 0 ? inner.items : []) {
    if (id === undefined) continue
    const more = await projectsOfGroup(client, id, budget, deep - 1)
    projects.push(...more.projects)
    complete &&= more.complete
  }
  return { projects, complete }
}

async function collect<I>(list: Pages<I>, budget: CallBudget): Promise<{ items: I[]; complete: boolean }> {
  const pages = list[Symbol.asyncIterator]()
  const items: I[] = []
  while (budget.take('call')) {
    const { value, done } = await pages.next()
    if (done === true) break
    items.push(...value.body)
    if (value.complete) return { items, complete: true }
  }
  return { items, complete: false }
}

/** Path by id. Only projects where the bot has access: a service may ignore `membership`. */
async function memberships(client: Client, budget: CallBudget): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  const params = { membership: true, archived: false, with_merge_requests_enabled: true, per_page: 100 } as const
  try {
    for (const { id, path_with_namespace: path, permissions } of (
      await collect(client.pages(client.projects.list, params, { maxPages }), budget)
    ).items) {
      const level = Math.max(
        permissions?.project_access?.access_level ?? 0,
        permissions?.group_access?.access_level ?? 0,
      )
      if (id !== undefined && path !== undefined && level > 0) found.set(id, path)
    }
  } catch (error) {
    // A token that may not list projects still sweeps those that send deliveries.
    if (!isPermanentRefusal(error)) throw error
  }
  return found
}

async function due({ journal }: Context, projects: ProjectToSweep[], askedAt: number): Promise<ProjectToSweep[]> {
  const marked = await Promise.all(
    projects.map(async (each) => ({ each, mark: await readMark(journal, each.project) })),
  )
  return marked
    .filter(({ mark: { sweptAt, lists } }) => sweptAt < askedAt || Object.values(lists).some(({ left }) => left))
    .sort((a, b) => a.mark.sweptAt - b.mark.sweptAt)
    .map(({ each }) => each)
}

function withPath(
  project: number,
  path: string | undefined,
  basis: ProjectToSweep['basis'] = 'deliveries',
): ProjectToSweep {
  return { project, path, basis, enqueued: new Set(), looked: new Set() }
}
