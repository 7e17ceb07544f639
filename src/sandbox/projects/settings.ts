// Settings that project creation and update share.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { checkPath } from '../access/namespaces.ts'
import { isMirrorUrl } from '../git/fetch-mirror.ts'
import { isRefName } from '../git/names.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { defined } from '../records/fields.ts'
import type { Project, User } from '../records/records.ts'
import { checkAvatar } from './files.ts'

export type Settings = Partial<Omit<CheckedParams<Api['projects']['create']>, 'namespace_id'>>

/** Throws 400 for invalid settings, 403 for administrators' ones. */
export function checkSettings(caller: User, given: Settings): void {
  if (given.repository_storage !== undefined && !caller.is_admin) throw forbidden()
  if (given.repository_storage === '') throw invalid('repository_storage', 'is not included in the list')
  if (given.name?.trim() === '') throw invalid('name', "can't be blank")
  if (given.path !== undefined) checkPath('path', given.path)
  if (given.default_branch !== undefined && !isRefName(given.default_branch))
    throw invalid('default_branch', 'is invalid')
  if (given.avatar !== undefined) checkAvatar(given.avatar)
  if (given.import_url && !isMirrorUrl(given.import_url)) {
    throw invalid('import_url', 'is blocked: Only allowed schemes are http, https')
  }
}

export function settingsOf(given: Settings & { namespace_id?: number }): Partial<Omit<Project, 'id'>> {
  const { name, path, namespace_id, avatar, tag_list, printing_merge_request_link_enabled, ...rest } = given
  return defined({
    ...rest,
    tag_list: tag_list && cleanTags(tag_list),
    ci_config_path: rest.ci_config_path === '' ? null : rest.ci_config_path,
    import_url: rest.import_url === '' ? null : rest.import_url,
    printing_merge_requests_link_enabled: printing_merge_request_link_enabled,
  })
}

function cleanTags(tags: readonly string[]) {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}
