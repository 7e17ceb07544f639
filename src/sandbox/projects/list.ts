// Lists of projects, in pages and in the shape that was asked for (api-v4.md §4.3).
import { type Page, pageOf } from '../handler.ts'
import type { Project, User } from '../records.ts'
import { showProject, showSimpleProject, withStatistics } from '../show-project.ts'
import type { World } from '../world.ts'
import { type Filters, selectProjects } from './select.ts'

type Params = Filters & { page: number; per_page: number; simple?: boolean | undefined; statistics?: boolean | undefined }
type Shown = ReturnType<typeof showProject> | ReturnType<typeof showSimpleProject>

/** A page of those of the projects that the caller can see and asked for. */
export function listProjects(world: World, caller: User | null, all: readonly Project[], params: Params): Promise<Page<Shown[]>> {
  return pageOf(selectProjects(world, caller, all, params), params, (project): Shown | Promise<Shown> => {
    if (params.simple === true) return showSimpleProject(world, project)
    const shown = showProject(world, project, caller)
    return params.statistics === true ? withStatistics(world, project, caller, shown) : shown
  })
}
