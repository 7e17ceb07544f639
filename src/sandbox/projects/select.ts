// Filters, sorts and pages projects.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canSeeProject, guest, memberLevelIn, owner } from '../access/access.ts'
import { pageOf, type RecordPage } from '../http/handler.ts'
import { sortBy } from '../records/fields.ts'
import type { Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { showProject, showSimpleProject, withStatistics } from './show-project.ts'

type ListParams = CheckedParams<Api['projects']['list']>
type ProjectFilters = Omit<ListParams, 'page' | 'per_page' | 'simple' | 'statistics'>
type Test = (project: Project) => boolean

function selectProjects(
  world: World,
  caller: User | null,
  projects: readonly Project[],
  filters: ProjectFilters,
): Project[] {
  const tests = [...fieldTests(filters), ...callerTests(world, caller, filters)]
  const found = projects.filter((project) => tests.every((test) => test(project)))
  return sortBy(found, filters.sort, (project) => keyOf(project, filters.order_by))
}

/** Cheap tests first. */
function fieldTests(filters: ProjectFilters): Test[] {
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
  // Nothing here sets any.
  if (Object.keys(custom_attributes ?? {}).length > 0) tests.push(() => false)
  return tests
}

function callerTests(world: World, caller: User | null, { owned, membership, starred }: ProjectFilters): Test[] {
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

function keyOf(project: Project, order: ProjectFilters['order_by']): string | number {
  if (order === 'name' || order === 'path') return project[order].toLowerCase()
  return project[order]
}

type Params = ProjectFilters & {
  page: number
  per_page: number
  simple?: boolean
  statistics?: boolean
}
type ProjectBody = ReturnType<typeof showProject> | ReturnType<typeof showSimpleProject>

export function listProjects(
  world: World,
  caller: User | null,
  all: readonly Project[],
  params: Params,
): Promise<RecordPage<ProjectBody[]>> {
  return pageOf(selectProjects(world, caller, all, params), params, (project): ProjectBody | Promise<ProjectBody> => {
    if (params.simple === true) return showSimpleProject(world, project)
    const shown = showProject(world, project, caller)
    return params.statistics === true ? withStatistics(world, project, caller, shown) : shown
  })
}
