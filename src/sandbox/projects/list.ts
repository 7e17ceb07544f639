// Pages of projects (api-v4.md §4.3).
import { pageOf, type RecordPage } from '../http/handler.ts'
import type { Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { type ProjectFilters, selectProjects } from './select.ts'
import { showProject, showSimpleProject, withStatistics } from './show-project.ts'

type Params = ProjectFilters & {
  page: number
  per_page: number
  simple?: boolean | undefined
  statistics?: boolean | undefined
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
