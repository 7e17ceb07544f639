// Records of the work in a project: labels, issues, notes, merge requests and their pipelines, as plain JSON (api-v4.md §2).

export interface Label {
  readonly id: number
  readonly project_id: number
  readonly title: string
  readonly color: string
  readonly description: string | null
  readonly created_at: string
}

export interface Milestone {
  readonly id: number
  readonly iid: number
  readonly project_id: number
  readonly title: string
  readonly description: string
  readonly state: 'active' | 'closed'
  readonly created_at: string
  readonly updated_at: string
  /** A date. */
  readonly due_date: string | null
}

export interface Issue {
  readonly id: number
  readonly iid: number
  readonly project_id: number
  readonly title: string
  readonly description: string
  readonly state: 'opened' | 'closed'
  readonly author_id: number
  readonly assignee_id: number | null
  readonly labels: readonly string[]
  readonly milestone_id: number | null
  /** Only its author, assignee and reporters see it. Absent in older data: it is not. */
  readonly confidential?: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly closed_at: string | null
}

export interface Note {
  readonly id: number
  readonly project_id: number
  readonly noteable_type: 'MergeRequest' | 'Issue'
  readonly noteable_id: number
  readonly author_id: number
  readonly body: string
  /** Written by the service itself. */
  readonly system: boolean
  readonly created_at: string
  readonly updated_at: string
}

/** A reaction to a merge request. */
export interface AwardEmoji {
  readonly id: number
  readonly merge_request_id: number
  readonly user_id: number
  readonly name: string
  readonly created_at: string
}

export interface LabelEvent {
  readonly id: number
  readonly merge_request_id: number
  readonly user_id: number
  readonly label_id: number
  readonly action: 'add' | 'remove'
  readonly created_at: string
}

export interface Todo {
  readonly id: number
  readonly user_id: number
  readonly merge_request_id: number
  readonly state: 'pending' | 'done'
  readonly created_at: string
}

export interface WikiPage {
  readonly id: number
  readonly project_id: number
  readonly slug: string
  readonly title: string
  readonly content: string
  readonly format: 'markdown' | 'rdoc' | 'asciidoc' | 'org'
}

/** What a push made of a merge request (api-v4.md §2.7). */
export interface DiffVersion {
  readonly id: number
  readonly merge_request_id: number
  readonly head_commit_sha: string
  readonly base_commit_sha: string
  readonly start_commit_sha: string
  readonly created_at: string
  /** A string, as `changes_count` is. */
  readonly real_size: string
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
  readonly reviewer_ids: readonly number[]
  readonly milestone_id: number | null
  readonly labels: readonly string[]
  /** Why the last rebase or merge went wrong. */
  readonly merge_error: string | null
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
  /** `external` is made of commit statuses; others are run (run-pipeline.ts). */
  readonly source: string
  /** Set for a pipeline that ran for a merge request, not for a branch. */
  readonly merge_request_id?: number
  /** The head that it merges, where it ran on the merged result. */
  readonly source_sha?: string
  /** The pipeline that started it as its child. */
  readonly parent_id?: number
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
