// A project as the API shows it (api-v4.md §2.2).
import type { z } from 'zod'
import type { project as projectSchema } from '../api/schemas/project.ts'
import { maintainer, projectLevel } from './access.ts'
import { sshUrl } from './hooks/parts.ts'
import type { Project, User } from './records.ts'
import { showNamespace } from './show.ts'
import type { World } from './world.ts'

/** Secrets only for those who may see them. */
export function showProject(world: World, project: Project, caller: User | null): z.output<typeof projectSchema> {
  const {
    namespace_id,
    known_refs,
    updated_at,
    tag_list,
    lfs_enabled,
    printing_merge_requests_link_enabled,
    ci_config_path,
    repository_storage,
    import_url,
    runners_token,
    avatar,
    forked_from_id,
    external_tracker_url,
    custom_attributes,
    ...shown
  } = project
  const { full_name, ...namespace } = showNamespace(world, namespace_id)
  const web_url = `${world.url}/${project.path_with_namespace}`
  const self = `${world.url}/api/v4/projects/${project.id}`
  return {
    ...shown,
    tag_list: [...tag_list],
    name_with_namespace: `${full_name} / ${project.name}`,
    ssh_url_to_repo: sshUrl(world, project),
    http_url_to_repo: `${web_url}.git`,
    web_url,
    namespace,
    avatar_url: avatar === null ? null : `${world.url}/uploads/-/system/project/avatar/${project.id}/${avatar}`,
    star_count: world.stars.where('project', project.id).length,
    forks_count: world.projects.where('forkedFrom', project.id).length,
    open_issues_count: world.issues.where('project', project.id).filter((issue) => issue.state === 'opened').length,
    shared_with_groups: world.shareLinks.where('project', project.id).map((link) => ({
      group_id: link.group_id,
      group_name: world.groups.get(link.group_id)?.name ?? '',
      group_access_level: link.group_access,
    })),
    _links: {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
    },
    ...(projectLevel(world, caller, project) >= maintainer && { runners_token }),
  }
}
