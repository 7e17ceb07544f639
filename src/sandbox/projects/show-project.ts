// Projects as the API shows them, in lists with filters and one by one, and statistics of repositories.

import type * as z from 'zod'
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { project as projectSchema } from '../../api/schemas/project.ts'
import {
  canReadCode,
  canSeeGroup,
  canSeeProject,
  guest,
  maintainer,
  memberLevel,
  memberLevelIn,
  memberLevelInGroup,
  owner,
  projectLevel,
  sharesOf,
} from '../access/access.ts'
import { countBetween } from '../git/read-commits.ts'
import { announcedHead } from '../git/refs.ts'
import { repositorySize } from '../git/repository.ts'
import { sshUrl } from '../hooks/parts.ts'
import { pageOf } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { pick, shownFields, sortBy } from '../records/fields.ts'
import { contains, filtered } from '../records/filter.ts'
import type { Group, Project, User } from '../records/records.ts'
import { showNamespace, showProjectReference } from '../records/show-records.ts'
import { type World, webUrl } from '../storage/world.ts'

type ProjectBody = z.output<typeof projectSchema>

const freeSchema = projectSchema.omit({
  approvals_before_merge: true,
  merge_pipelines_enabled: true,
  merge_trains_enabled: true,
  merge_train_enforcement: true,
})

/** Global: the user's general setting. */
const notification_level = 3

/** The list form. Secrets only for those who may see them. */
export function showProject(world: World, project: Project, caller: User | null): ProjectBody {
  const { full_name, ...namespace } = showNamespace(world, project.namespace_id)
  const web_url = webUrl(world, project)
  const self = `${world.url}/api/v4/projects/${project.id}`
  const user = world.users.first('namespace', project.namespace_id)
  return {
    ...shownFields(isPremium(world) ? projectSchema : freeSchema, project),
    // Only in the single form.
    repository_storage: undefined,
    printing_merge_requests_link_enabled: undefined,
    runners_token: projectLevel(world, caller, project) >= maintainer ? project.runners_token : undefined,
    tag_list: [...project.tag_list],
    issues_access_level: project.issues_enabled ? 'enabled' : 'disabled',
    merge_requests_access_level: project.merge_requests_enabled ? 'enabled' : 'disabled',
    name_with_namespace: `${full_name} / ${project.name}`,
    ssh_url_to_repo: sshUrl(world, project),
    http_url_to_repo: `${web_url}.git`,
    web_url,
    namespace,
    avatar_url: project.avatar === null ? null : web_url + project.avatar,
    star_count: world.stars.count('project', project.id),
    forks_count: world.projects.count('forkedFrom', project.id),
    open_issues_count: world.issues.where('project', project.id).filter((issue) => issue.state === 'opened').length,
    shared_with_groups: showShares(world, project, caller),
    _links: {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
    },
    ...(user !== undefined && { owner: pick(user, 'id', 'name', 'created_at') }),
    ...showSource(world, project, caller),
    ...(caller !== null && { permissions: showPermissions(world, project, caller) }),
  }
}

export function showSingleProject(world: World, project: Project, caller: User | null): ProjectBody {
  const { repository_storage, printing_merge_requests_link_enabled } = project
  return { ...showProject(world, project, caller), repository_storage, printing_merge_requests_link_enabled }
}

export function showSimpleProject(world: World, project: Project) {
  return { id: project.id, web_url: webUrl(world, project), name: project.name, path: project.path }
}

/** Adds the statistics for callers who may read the code. */
export async function withStatistics<T extends object>(world: World, project: Project, caller: User | null, shown: T) {
  if (caller === null || !canReadCode(world, caller, project)) return shown
  return { ...shown, statistics: await projectStatistics(world, project) }
}

/** Hidden groups and expired shares are left out. */
function showShares(world: World, project: Project, caller: User | null): ProjectBody['shared_with_groups'] {
  return sharesOf(world, project).flatMap((link) => {
    const group = world.groups.get(link.group_id)
    if (group === undefined || !canSeeGroup(world, caller, group)) return []
    return [{ group_id: group.id, group_name: group.name, group_access_level: link.group_access }]
  })
}

function showSource(world: World, { forked_from_id }: Project, caller: User | null) {
  const source = world.projects.get(forked_from_id)
  if (source === undefined || !canSeeProject(world, caller, source)) return {}
  return { forked_from_project: { ...showProjectReference(world, source), web_url: webUrl(world, source) } }
}

/** Direct access, and access through groups and shares. */
function showPermissions(world: World, project: Project, caller: User): NonNullable<ProjectBody['permissions']> {
  const own = project.namespace_id === caller.namespace_id ? owner : memberLevel(world, 'project', project.id, caller)
  const inherited = memberLevelInGroup(world, caller, world.groups.get(project.namespace_id))
  const highest = memberLevelIn(world, caller, project)
  return { project_access: showAccess(own), group_access: showAccess(highest > own ? highest : inherited) }
}

function showAccess(level: number) {
  return level === 0 ? null : { access_level: level, notification_level }
}

type Statistics = NonNullable<ProjectBody['statistics']>

/** Commits of the default branch, and bytes. */
async function projectStatistics(world: World, project: Project): Promise<Statistics> {
  const head = announcedHead(world, project.id, project.default_branch)
  const [commit_count, repository_size] = await Promise.all([
    head === undefined ? 0 : countBetween(world, project.id, null, head),
    repositorySize(world, project.id),
  ])
  return { commit_count, ...sizeStatistics(repository_size) }
}

/** Bytes of the projects directly in the group, as in GitLab. */
export async function groupStatistics(world: World, group: Group): Promise<Omit<Statistics, 'commit_count'>> {
  const projects = world.projects.where('namespace', group.id)
  const sizes = await Promise.all(projects.map((project) => repositorySize(world, project.id)))
  return sizeStatistics(sizes.reduce((sum, size) => sum + size, 0))
}

function sizeStatistics(repository_size: number) {
  return { storage_size: repository_size, repository_size, lfs_objects_size: 0, job_artifacts_size: 0 }
}

type ListParams = CheckedParams<Api['projects']['list']>

function selectProjects(world: World, caller: User | null, projects: readonly Project[], filters: ListParams) {
  const level = (project: Project) => (caller === null ? 0 : memberLevelIn(world, caller, project))
  const found = filtered(projects, filters, {
    archived: (project, archived) => project.archived === archived,
    visibility: (project, visibility) => project.visibility === visibility,
    with_issues_enabled: (project, wanted) => project.issues_enabled === wanted,
    with_merge_requests_enabled: (project, wanted) => project.merge_requests_enabled === wanted,
    search: ({ name }, text) => contains(name, text),
    // Nothing here sets any.
    custom_attributes: (_, wanted) => Object.keys(wanted).length === 0,
    starred: ({ id }, wanted) =>
      !wanted || world.stars.where('project', id).some((star) => star.user_id === caller?.id),
    owned: (project, wanted) => !wanted || level(project) >= owner,
    membership: (project, wanted) => !wanted || level(project) >= guest,
  })
  const visible = found.filter((project) => canSeeProject(world, caller, project))
  return sortBy(visible, filters.sort, (project) => keyOf(project, filters.order_by))
}

function keyOf(project: Project, order: ListParams['order_by']): string | number {
  if (order === 'name' || order === 'path') return project[order].toLowerCase()
  return project[order]
}

type ListedProject = ReturnType<typeof showProject> | ReturnType<typeof showSimpleProject>

export function listProjects(world: World, caller: User | null, all: readonly Project[], params: ListParams) {
  return pageOf(
    selectProjects(world, caller, all, params),
    params,
    (project): ListedProject | Promise<ListedProject> => {
      if (params.simple === true) return showSimpleProject(world, project)
      const shown = showProject(world, project, caller)
      return params.statistics === true ? withStatistics(world, project, caller, shown) : shown
    },
  )
}
