// What the sandbox remembers, as plain JSON records (api-v4.md §2); nothing of its state lives anywhere else but in git.
export type * from './work-records.ts'

export interface User {
  readonly id: number
  /** Users and groups draw from one counter: `namespace_id` names either. */
  readonly namespace_id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly state: 'active'
  readonly bot: boolean
  readonly is_admin: boolean
  readonly can_create_group: boolean
  readonly created_at: string
}

export interface Token {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly scopes: readonly string[]
  /** SHA-256 of the token: the state may be written to disk. */
  readonly digest: string
  readonly created_at: string
}

type Visibility = 'private' | 'internal' | 'public'
export type AccessLevel = 10 | 20 | 30 | 40 | 50

export interface Group {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly full_path: string
  readonly full_name: string
  readonly description: string
  readonly visibility: Visibility
  readonly lfs_enabled: boolean
  readonly request_access_enabled: boolean
  readonly parent_id: number | null
  /** No new members in the group's projects (api-v4.md §4.1). */
  readonly membership_lock: boolean
  /** No sharing of the group's projects with other groups. */
  readonly share_with_group_lock: boolean
  readonly shared_runners_minutes_limit: number | null
  readonly custom_attributes: Readonly<Record<string, string>>
  readonly created_at: string
}

/** A link to a group of a directory service; kept and answered, there is no directory here. */
export interface LdapLink {
  readonly id: number
  readonly group_id: number
  readonly cn: string
  readonly group_access: AccessLevel
  readonly provider: string
}

export interface Member {
  readonly id: number
  readonly source: 'group' | 'project'
  readonly source_id: number
  readonly user_id: number
  readonly access_level: AccessLevel
  /** A date; membership ends with it. */
  readonly expires_at: string | null
}

/** The switches of a project (api-v4.md §2.2). */
export interface ProjectSwitches {
  readonly issues_enabled: boolean
  readonly merge_requests_enabled: boolean
  readonly wiki_enabled: boolean
  readonly jobs_enabled: boolean
  readonly snippets_enabled: boolean
  readonly container_registry_enabled: boolean
  readonly resolve_outdated_diff_discussions: boolean
  readonly shared_runners_enabled: boolean
  readonly public_jobs: boolean
  readonly request_access_enabled: boolean
  readonly lfs_enabled: boolean
  readonly only_allow_merge_if_pipeline_succeeds: boolean
  readonly only_allow_merge_if_all_discussions_are_resolved: boolean
  readonly printing_merge_requests_link_enabled: boolean
}

export type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed'

export interface Project extends ProjectSwitches {
  readonly id: number
  readonly namespace_id: number
  readonly name: string
  readonly path: string
  readonly path_with_namespace: string
  readonly description: string | null
  readonly default_branch: string
  readonly visibility: Visibility
  readonly tag_list: readonly string[]
  readonly creator_id: number
  readonly created_at: string
  /** When the settings last changed; not shown, lists are sorted by it. */
  readonly updated_at: string
  readonly last_activity_at: string
  readonly approvals_before_merge: number
  readonly archived: boolean
  readonly ci_config_path: string | null
  readonly repository_storage: string
  /** May carry a password: never shown. */
  readonly import_url: string | null
  readonly import_status: ImportStatus
  readonly import_error: string | null
  readonly runners_token: string
  /** The file's name; its bytes lie in the folder of uploads. */
  readonly avatar: string | null
  readonly forked_from_id: number | null
  /** The address of an external issue tracker; null is the built-in one. */
  readonly external_tracker_url: string | null
  readonly custom_attributes: Readonly<Record<string, string>>
  /** Every branch and tag with the commit that hooks were last sent for: what differs in git was pushed since. */
  readonly known_refs: Readonly<Record<string, string>>
}

export interface Star {
  readonly id: number
  readonly project_id: number
  readonly user_id: number
}

/** A project shared with a group: its members get at most `group_access` there. */
export interface ShareLink {
  readonly id: number
  readonly project_id: number
  readonly group_id: number
  readonly group_access: AccessLevel
  readonly expires_at: string | null
}

/** api-v4.md §2.7 */
export interface PushRule {
  readonly id: number
  readonly project_id: number
  readonly deny_delete_tag: boolean
  readonly member_check: boolean
  readonly prevent_secrets: boolean
  readonly commit_message_regex: string
  readonly branch_name_regex: string
  readonly author_email_regex: string
  readonly file_name_regex: string
  /** MB; 0 is no limit. */
  readonly max_file_size: number
  readonly created_at: string
}

export interface HookFlags {
  readonly push_events: boolean
  readonly issues_events: boolean
  readonly merge_requests_events: boolean
  readonly tag_push_events: boolean
  readonly note_events: boolean
  readonly job_events: boolean
  readonly pipeline_events: boolean
  readonly wiki_page_events: boolean
}

export interface Hook extends HookFlags {
  readonly id: number
  readonly project_id: number
  readonly url: string
  readonly enable_ssl_verification: boolean
  readonly token: string | null
  /** `whsec_…`: deliveries are signed with it as well (hosting-service.md §1.2). */
  readonly signing_token: string | null
  readonly created_at: string
}
