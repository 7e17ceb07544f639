// What the sandbox remembers, as plain JSON records (api-v4.md §2); nothing of its state lives anywhere else but in git.

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
}

export interface Member {
  readonly id: number
  readonly source: 'group' | 'project'
  readonly source_id: number
  readonly user_id: number
  readonly access_level: AccessLevel
}

export interface Project {
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
  readonly last_activity_at: string
  readonly only_allow_merge_if_pipeline_succeeds: boolean
  readonly only_allow_merge_if_all_discussions_are_resolved: boolean
  readonly approvals_before_merge: number
  /** Every branch and tag with the commit that hooks were last sent for: what differs in git was pushed since. */
  readonly known_refs: Readonly<Record<string, string>>
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
  readonly created_at: string
}

export interface Label {
  readonly id: number
  readonly project_id: number
  readonly title: string
  readonly color: string
  readonly created_at: string
}

export interface MergeRequest {
  readonly id: number
  readonly iid: number
  readonly project_id: number
  readonly source_project_id: number
  readonly source_branch: string
  readonly target_branch: string
  readonly title: string
  readonly description: string
  readonly state: 'opened' | 'closed' | 'merged'
  readonly created_at: string
  readonly updated_at: string
  readonly author_id: number
  readonly assignee_id: number | null
  readonly labels: readonly string[]
  /** Head of the source branch. */
  readonly sha: string
  /** Where source and target parted; kept when the merge request is merged, since git would then say that nothing differs. */
  readonly base_sha: string | null
  readonly changes_count: string
  readonly merge_status: 'unchecked' | 'can_be_merged' | 'cannot_be_merged'
  /** `<target head>:<source head>` that `merge_status` was worked out for. */
  readonly merge_status_of: string | null
  readonly merge_when_pipeline_succeeds: boolean
  readonly auto_merge: AutoMerge | null
  readonly merge_commit_sha: string | null
  readonly merged_by_id: number | null
  readonly should_remove_source_branch: boolean | null
  readonly force_remove_source_branch: boolean
  readonly squash: boolean
  readonly discussion_locked: boolean
  readonly approvals_before_merge: number | null
  readonly approved_by: readonly number[]
  readonly subscriber_ids: readonly number[]
  readonly time_estimate: number
  readonly total_time_spent: number
}

/** What was asked for with `merge_when_pipeline_succeeds`, and by whom. */
interface AutoMerge {
  readonly user_id: number
  readonly squash: boolean
  readonly merge_commit_message: string | null
  readonly should_remove_source_branch: boolean | null
}

export interface Pipeline {
  readonly id: number
  readonly iid: number
  readonly project_id: number
  readonly sha: string
  readonly ref: string
  readonly status: string
  readonly source: 'external'
  readonly user_id: number
  readonly created_at: string
  readonly finished_at: string | null
}

export type StatusState = 'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped'

export interface CommitStatus {
  readonly id: number
  readonly project_id: number
  readonly pipeline_id: number
  readonly sha: string
  readonly ref: string
  readonly name: string
  readonly status: StatusState
  readonly target_url: string | null
  readonly description: string | null
  readonly author_id: number
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  /** A newer status of the same name took its place. */
  readonly retried: boolean
}
