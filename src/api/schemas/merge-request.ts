// Merge requests and their parts; GitLab's further fields are optional.
import * as z from 'zod'
import { issue, references, timeStats, workFields } from './issue.ts'
import { relatedProject } from './project.ts'
import { commit } from './repository.ts'
import { count, datetime, id } from './scalars.ts'
import { userSummary } from './user.ts'

/** `source` and `web_url` are not on the API page; GitLab sends them. */
export const pipeline = z.object({
  id,
  sha: z.string(),
  ref: z.string(),
  status: z.string(),
  source: z.string().optional(),
  web_url: z.string().optional(),
  /** The project that it ran in: for a merge request from a fork, that may be the fork. */
  project_id: id.optional(),
  iid: id.optional(),
  created_at: datetime.optional(),
  updated_at: datetime.optional(),
})

/** Not on the page: a job of a pipeline, with the fields that Bellhop reads. */
export const job = z.object({
  id,
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().optional(),
  web_url: z.string().optional(),
})

export const mergeRequest = z.object({
  ...workFields,
  /** Null once the fork is deleted. */
  source_project_id: id.nullable().optional(),
  target_project_id: id.optional(),
  source_branch: z.string(),
  target_branch: z.string(),
  state: z.enum(['opened', 'closed', 'merged', 'reopened', 'locked']),
  upvotes: count.optional(),
  downvotes: count.optional(),
  work_in_progress: z.boolean().optional(),
  /** `work_in_progress` is its name on the page. */
  draft: z.boolean().optional(),
  merge_when_pipeline_succeeds: z.boolean().optional(),
  merge_status: z.string().optional(),
  /** Not on the page; if it is absent, so is the fact. */
  detailed_merge_status: z.string().optional(),
  /** Lists of GitLab leave out what only the single form has: this and `changes_count`. */
  subscribed: z.boolean().optional(),
  sha: z.string().nullable().optional(),
  merge_commit_sha: z.string().nullable().optional(),
  /** Newer versions: the commit that a squash made. */
  squash_commit_sha: z.string().nullable().optional(),
  /** A string, capped at `1000+`; null until GitLab has counted. */
  changes_count: z.string().nullable().optional(),
  should_remove_source_branch: z.boolean().nullable().optional(),
  force_remove_source_branch: z.boolean().nullable().optional(),
  squash: z.boolean().optional(),
  /** Newer versions: what the project’s `squash_option` makes of `squash`. */
  squash_on_merge: z.boolean().optional(),
  /** Null in GitLab if it was never locked. */
  discussion_locked: z.boolean().nullable().optional(),
  time_stats: timeStats.optional(),
  /** Absent without Premium. */
  approvals_before_merge: z.int().nullable().optional(),
  /** GitLab shows both in the single form; else the newest of GET …/pipelines. `pipeline` is the older name. */
  head_pipeline: pipeline.nullable().optional(),
  pipeline: pipeline.nullable().optional(),
  merged_at: datetime.nullable().optional(),
  closed_at: datetime.nullable().optional(),
  /** Who merged it, or set it to merge; `merged_by` is the older name, after the merge alone. */
  merge_user: userSummary.nullable().optional(),
  merged_by: userSummary.nullable().optional(),
  references: references.optional(),
  /** GitLab shows it during and after a rebase. */
  rebase_in_progress: z.boolean().optional(),
  /** How many commits of the target its source lacks; only if a parameter asks for it. */
  diverged_commits_count: count.optional(),
  merge_error: z.string().nullable().optional(),
  /** Newer versions: reviewers, conflicts and threads. */
  reviewers: z.array(userSummary).optional(),
  has_conflicts: z.boolean().optional(),
  blocking_discussions_resolved: z.boolean().optional(),
  /** Newer versions: the commits of the present diff version. */
  diff_refs: z
    .object({ base_sha: z.string().nullable(), head_sha: z.string().nullable(), start_sha: z.string().nullable() })
    .nullable()
    .optional(),
})

/** With `view=simple`. */
export const simpleMergeRequest = mergeRequest.pick({
  iid: true,
  web_url: true,
  title: true,
  description: true,
  state: true,
})

/** `blocking_merge_request` is absent for readers who may not see it. It has the fields that are read. */
export const mergeRequestBlock = z.object({
  id,
  blocking_merge_request: mergeRequest
    .pick({ id: true, iid: true, project_id: true, title: true, description: true, state: true, web_url: true })
    .extend({ references: references.optional() })
    .optional(),
  project_id: id,
})

export const change = z.object({
  old_path: z.string(),
  new_path: z.string(),
  /** Null in GitLab for a new file. */
  a_mode: z.string().nullable(),
  b_mode: z.string(),
  diff: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
})
/** A collapsed or too large diff has no text; the flags exist since 18.4 (docs/hosting-service.md). */
export const listedDiff = change.extend({ collapsed: z.boolean().optional(), too_large: z.boolean().optional() })
/** The comparison of two refs. */
export const comparison = z.object({
  commit: commit.nullable(),
  commits: z.array(commit),
  diffs: z.array(listedDiff),
  compare_timeout: z.boolean().optional(),
  compare_same_ref: z.boolean().optional(),
})
/** `overflow`: the list was cut. */
export const mergeRequestChanges = mergeRequest.extend({
  changes: z.array(listedDiff),
  overflow: z.boolean().optional(),
})

/** GitLab Free shows `approved`, `approved_by` and the caller's own fields alone. */
export const approvals = z.object({
  id: id.optional(),
  iid: id.optional(),
  project_id: id.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  state: z.string().optional(),
  merge_status: z.string().optional(),
  created_at: datetime.optional(),
  updated_at: datetime.optional(),
  approvals_required: z.int().optional(),
  /** The approve response names it `approvals_left`. */
  approvals_missing: z.int().optional(),
  approvals_left: z.int().optional(),
  /** Only newer 18.x says when. */
  approved_by: z.array(z.object({ user: userSummary, approved_at: datetime.optional() })),
  /** GitLab only: somebody approved (Free), or no required approval is missing (Premium). */
  approved: z.boolean().optional(),
  /** False for GitLab's enterprise edition without a licence, which shows all fields and requires nothing. */
  merge_request_approvers_available: z.boolean().optional(),
  /** GitLab only. */
  user_has_approved: z.boolean().optional(),
  user_can_approve: z.boolean().optional(),
})

export const diffVersion = z.object({
  id,
  head_commit_sha: z.string(),
  base_commit_sha: z.string(),
  start_commit_sha: z.string(),
  created_at: datetime,
  merge_request_id: id,
  state: z.string(),
  real_size: z.string(),
})
export const diffVersionDetails = diffVersion.extend({ commits: z.array(commit), diffs: z.array(change) })

export const todo = z.object({
  id,
  project: relatedProject,
  author: userSummary,
  action_name: z.string(),
  target_type: z.string(),
  target: mergeRequest,
  target_url: z.string(),
  body: z.string(),
  state: z.string(),
  created_at: datetime,
})
/** A to-do of an issue. */
export const issueTodo = todo.extend({ target: issue })

/** A merge request on a merge train, as GitLab Premium shows it; not on the API page. */
export const mergeTrainCar = z.object({
  id,
  merge_request: mergeRequest
    .pick({ id: true, iid: true, project_id: true, title: true, description: true, created_at: true, updated_at: true })
    .extend({ state: z.string(), web_url: z.string() }),
  user: userSummary,
  pipeline: pipeline.nullable(),
  created_at: datetime,
  updated_at: datetime,
  target_branch: z.string(),
  /** `idle`, `stale`, `fresh`, `merging`, `merged` or `skip_merged`. */
  status: z.string(),
  merged_at: datetime.nullable(),
  /** Seconds. */
  duration: count.nullable(),
})
