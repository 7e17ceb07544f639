// The settings that create, create-for-user and edit share (api-v4.md §4.3): what they are checked for, and what is kept of them.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { isMirrorUrl } from '../git/fetch-mirror.ts'
import { isRefName } from '../git/names.ts'
import { checkPath } from '../namespaces.ts'
import type { Project, User } from '../records.ts'
import { forbidden, invalid } from '../refusal.ts'
import { checkProjectVisibility, isMoreVisible } from '../visibility.ts'
import type { World } from '../world.ts'

export type Settings = Partial<Omit<CheckedParams<Api['projects']['create']>, 'namespace_id'>>

const keptAsGiven = [
  'description',
  'visibility',
  'approvals_before_merge',
  'repository_storage',
  'default_branch',
  'lfs_enabled',
  'issues_enabled',
  'merge_requests_enabled',
  'wiki_enabled',
  'jobs_enabled',
  'snippets_enabled',
  'container_registry_enabled',
  'resolve_outdated_diff_discussions',
  'shared_runners_enabled',
  'public_jobs',
  'request_access_enabled',
  'only_allow_merge_if_pipeline_succeeds',
  'only_allow_merge_if_all_discussions_are_resolved',
] as const

/** Refuses what no project may be given, and what this caller may not set. */
export function checkSettings(caller: User, given: Settings): void {
  if (given.repository_storage !== undefined && !caller.is_admin) throw forbidden()
  if (given.repository_storage === '') throw invalid('repository_storage', 'is not included in the list')
  if (given.name?.trim() === '') throw invalid('name', "can't be blank")
  if (given.path !== undefined) checkPath('path', given.path)
  if (given.default_branch !== undefined && !isRefName(given.default_branch)) throw invalid('default_branch', 'is invalid')
  if (given.import_url && !isMirrorUrl(given.import_url)) {
    throw invalid('import_url', 'is blocked: Only allowed schemes are http, https')
  }
}

/** Refuses a project that more people would see than its group, or than the project that it was forked from. */
export function checkVisibility(
  world: World,
  { namespace_id, forked_from_id }: { namespace_id: number; forked_from_id: number | null },
  visibility: Project['visibility'],
): void {
  checkProjectVisibility(world.groups.get(namespace_id), visibility)
  const source = forked_from_id === null ? undefined : world.projects.get(forked_from_id)
  if (source !== undefined && isMoreVisible(visibility, source.visibility)) {
    throw invalid('visibility_level', `${visibility} is not allowed since the fork source project has ${source.visibility} visibility.`)
  }
}

/** The fields of the record that the given settings are kept in; names and paths are the caller's to place. */
export function settingsOf(given: Settings): Partial<Omit<Project, 'id'>> {
  const asGiven = Object.fromEntries(keptAsGiven.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]))
  return {
    ...asGiven,
    ...(given.tag_list !== undefined && { tag_list: cleanTags(given.tag_list) }),
    ...(given.ci_config_path !== undefined && { ci_config_path: given.ci_config_path || null }),
    ...(given.import_url !== undefined && { import_url: given.import_url || null }),
    ...(given.printing_merge_request_link_enabled !== undefined && {
      printing_merge_requests_link_enabled: given.printing_merge_request_link_enabled,
    }),
  }
}

function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}
