// The filters and orders of project lists (api-v4.md §4.3).
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canSeeProject, guest, memberLevelIn, owner } from '../access.ts'
import type { Project, User } from '../records.ts'
import type { World } from '../world.ts'

type ListParams = CheckedParams<Api['projects']['list']>
export type Filters = Omit<ListParams, 'page' | 'per_page' | 'simple' | 'statistics'>
type Test = (project: Project) => boolean

/** Those of the projects that the caller can see and asked for, in order. */
export function selectProjects(world: World, caller: User | null, projects: readonly Project[], filters: Filters): Project[] {
  const tests = [...fieldTests(filters), ...callerTests(world, caller, filters)]
  const found = projects.filter((project) => tests.every((test) => test(project)))
  return sortProjects(found, filters)
}

/** What can be read off the record comes first: it costs least. */
function fieldTests(filters: Filters): Test[] {
  const { archived, visibility, search, custom_attributes } = filters
  const { with_issues_enabled: issues, with_merge_requests_enabled: mergeRequests } = filters
  const tests: Test[] = []
  if (archived !== undefined) tests.push((project) => project.archived === archived)
  if (visibility !== undefined) tests.push((project) => project.visibility === visibility)
  if (issues !== undefined) tests.push((project) => project.issues_enabled === issues)
  if (mergeRequests !== undefined) tests.push((project) => project.merge_requests_enabled === mergeRequests)
  if (search !== undefined) {
    const wanted = search.toLowerCase()
    tests.push((project) => project.name.toLowerCase().includes(wanted))
  }
  for (const [key, value] of Object.entries(custom_attributes ?? {})) {
    tests.push(({ custom_attributes: kept }) => Object.hasOwn(kept, key) && kept[key] === value)
  }
  return tests
}

/** What depends on who asks; nobody owns, belongs to and stars nothing. */
function callerTests(world: World, caller: User | null, { owned, membership, starred }: Filters): Test[] {
  const tests: Test[] = []
  if (starred === true) {
    const stars = new Set(caller === null ? [] : world.stars.where('user', caller.id).map((star) => star.project_id))
    tests.push(({ id }) => stars.has(id))
  }
  if (owned === true) tests.push((project) => caller !== null && memberLevelIn(world, caller, project) >= owner)
  if (membership === true) tests.push((project) => caller !== null && memberLevelIn(world, caller, project) >= guest)
  tests.push((project) => canSeeProject(world, caller, project))
  return tests
}

/** Names and paths whatever their case; what is equal in the order of ids. */
function sortProjects(projects: readonly Project[], { order_by, sort }: Pick<Filters, 'order_by' | 'sort'>): Project[] {
  const direction = sort === 'asc' ? 1 : -1
  const keyed = projects.map((project) => ({ project, key: keyOf(project, order_by) }))
  keyed.sort((a, b) => direction * (a.key === b.key ? a.project.id - b.project.id : a.key < b.key ? -1 : 1))
  return keyed.map(({ project }) => project)
}

function keyOf(project: Project, order: Filters['order_by']): string | number {
  if (order === 'name' || order === 'path') return project[order].toLowerCase()
  return project[order]
}
