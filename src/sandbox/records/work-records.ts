// Records of the work in a project, as plain JSON.
import type * as z from 'zod'
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import type { issue, milestone, note } from '../../api/schemas/issue.ts'
import type { diffVersion, mergeRequest } from '../../api/schemas/merge-request.ts'
import type { commitStatus, deployment, pushEvent, release, releaseLink } from '../../api/schemas/repository.ts'

export type Label = Readonly<{
  id: number
  project_id: number
  title: string
  color: string
  description: string | null
  created_at: string
}>

/** A project or a group has it. */
export type Milestone = Readonly<Required<Omit<z.output<typeof milestone>, 'project_id' | 'group_id'>>> &
  Readonly<Pick<z.output<typeof milestone>, 'project_id' | 'group_id'> & { description: string }>

/** What issues and merge requests have in common. */
type WorkRecord = Readonly<
  Pick<z.output<typeof issue>, 'id' | 'iid' | 'project_id' | 'title' | 'created_at' | 'updated_at'>
> &
  Readonly<{
    description: string
    author_id: number
    assignee_ids: readonly number[]
    labels: readonly string[]
    milestone_id: number | null
    /** Null: it was never locked. */
    discussion_locked: boolean | null
    subscriber_ids: readonly number[]
    time_estimate: number
    total_time_spent: number
  }>

export type IssueRecord = WorkRecord &
  Readonly<Required<Pick<z.output<typeof issue>, 'state' | 'confidential' | 'due_date' | 'weight' | 'closed_at'>>> &
  Readonly<{
    issue_type: 'issue' | 'incident' | 'test_case' | 'task'
    closed_by_id: number | null
  }>

/** What a note, a reaction, a label event or a to-do is of. */
export type NoteableId = Readonly<{ noteable_type: 'MergeRequest' | 'Issue'; noteable_id: number }>
type OfNoteable = NoteableId & Readonly<{ id: number; user_id: number; created_at: string }>

export type Note = NoteableId &
  Readonly<{
    id: number
    project_id: number
    author_id: number
    body: string
    system: boolean
    /** Of each note of a thread. */
    resolved?: boolean
    position?: z.output<typeof note>['position']
    /** The note that began the thread which this one replies in. */
    thread?: number
    internal?: true
    created_at: string
    updated_at: string
  }>

/** A reaction. */
export type AwardEmoji = OfNoteable & Readonly<{ name: string }>

export type LabelEvent = OfNoteable & Readonly<{ label_id: number; action: 'add' | 'remove' }>

export type Todo = OfNoteable

/** One merge request must be merged before another (Premium). */
export type MergeRequestBlock = Readonly<{
  id: number
  /** The one that waits. */
  merge_request_id: number
  blocking_id: number
}>

export type WikiPage = Readonly<{
  id: number
  project_id: number
  slug: string
  title: string
  content: string
  format: 'markdown' | 'rdoc' | 'asciidoc' | 'org'
}>

export type Release = Readonly<
  Pick<z.output<typeof release>, 'tag_name' | 'name' | 'description' | 'created_at'> & {
    id: number
    project_id: number
    sha: string
    author_id: number
    links: readonly ReleaseLink[]
  }
>

type ReleaseLink = Readonly<Required<Omit<z.output<typeof releaseLink>, 'direct_asset_url'>>>

export type Deployment = Readonly<
  Omit<z.output<typeof deployment>, 'user' | 'environment'> & {
    project_id: number
    environment: string
    status: CheckedParams<Api['deployments']['create']>['status']
    user_id: number
  }
>

/** What a push made of a merge request. */
export type DiffVersion = Readonly<Omit<z.output<typeof diffVersion>, 'state'>>

type SameField =
  | ('source_branch' | 'target_branch' | 'merge_when_pipeline_succeeds' | 'merge_commit_sha')
  | ('should_remove_source_branch' | 'squash')

export type MergeRequest = WorkRecord &
  Readonly<Required<Pick<z.output<typeof mergeRequest>, SameField>>> &
  Readonly<{
    changes_count: string
    force_remove_source_branch: boolean
    source_project_id: number
    state: 'opened' | 'closed' | 'merged'
    reviewer_ids: readonly number[]
    /** The error of the last rebase or merge. */
    merge_error: string | null
    /** The head that the service itself rebased it to: that push takes no approvals back. */
    rebase_commit_sha?: string
    /** Head of the source branch. */
    sha: string
    base_sha: string | null
    merge_status: 'unchecked' | 'can_be_merged' | 'cannot_be_merged'
    /** `<target head>:<source head>` of `merge_status`. */
    merge_status_of: string | null
    auto_merge: AutoMerge | null
    train_car: TrainCar | null
    squash_commit_sha: string | null
    /** What its merge moved the target to. */
    merged_head?: string
    merged_by_id: number | null
    merged_at: string | null
    closed_at: string | null
    approvals_before_merge: number | null
    approved_by: readonly number[]
  }>

/** The place on a merge train, in the order of ids. */
export type TrainCar = Readonly<{
  id: number
  user_id: number
  /**
   * `idle` until its first commit is made, then `fresh`: GitLab also has `stale`, until it is made anew.
   * `skip_merged`: merged at once, without the train.
   */
  status: 'idle' | 'fresh' | 'merging' | 'merged' | 'skip_merged'
  /** The commit on `refs/merge-requests/N/train`. */
  sha?: string
  /** What that merges the head onto: the commit of the one before it, or the head of the target. */
  onto?: string
  /** Absent without a script for it. */
  pipeline_id?: number
  created_at: string
  updated_at: string
  merged_at: string | null
}>

/** The request for auto-merge. */
type AutoMerge = Readonly<{
  user_id: number
  /** It is added to the merge train, and merged from there. */
  by_train?: true
  squash: boolean
  merge_commit_message: string | null
  should_remove_source_branch: boolean | null
}>

export type PipelineRecord = Readonly<{
  id: number
  iid: number
  project_id: number
  sha: string
  ref: string
  status: string
  /** The status of its own jobs; absent if it has only commit statuses. */
  jobs_status?: string
  /** `external` for commit statuses; others are of merge requests and of parents. */
  source: string
  /** Absent for a pipeline of a branch. */
  merge_request_id?: number
  /** The head of a merged result. */
  source_sha?: string
  parent_id?: number
  /** The script of a scripted pipeline. */
  script_id?: number
  /** What is still to come; times are the clock's. */
  steps?: readonly Readonly<{ at: number; status: string }>[]
  user_id: number
  created_at: string
  updated_at: string
  finished_at: string | null
}>

/** How the pipelines of some branches of a project go. */
export type PipelineScript = Readonly<{
  id: number
  project_id: number
  /** A branch, or a pattern with `*`; of a merge request its source branch. */
  branches: string
  kind: 'branch' | 'merge_request' | 'merged_results' | 'merge_train'
  /** Milliseconds. */
  takes: number
  /** One after the other, then from the first again. */
  ends: readonly ('success' | 'failed' | 'canceled' | 'skipped' | 'manual' | 'canceling' | 'waiting_for_callback')[]
  /** Files that break each other: a commit that has all of them fails, whatever `ends` says. */
  breaks_with?: readonly string[]
  runs: number
}>

/** What a push made of a ref, or of more than three that it names no more. */
export type PushEvent = Readonly<
  Pick<z.output<typeof pushEvent>, 'id' | 'project_id' | 'author_id' | 'created_at' | 'push_data'>
>

export type StatusState = 'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped'

export type CommitStatus = Readonly<
  Required<Omit<z.output<typeof commitStatus>, 'author' | 'ref'>> & {
    ref: string
    project_id: number
    status: StatusState
    author_id: number
    started_at: string | null
    finished_at: string | null
    /** Replaced by a newer status of the same name. */
    retried: boolean
  }
>
