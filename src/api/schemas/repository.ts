// Branches, commits and commit statuses, in GitLab's shapes.
import * as z from 'zod'
import { count, datetime, id } from './scalars.ts'
import { userSummary } from './user.ts'

export const commit = z.object({
  id: z.string(),
  short_id: z.string(),
  title: z.string(),
  author_name: z.string(),
  author_email: z.string(),
  /** Absent in branches of old versions, which have `committed_date`. */
  created_at: datetime.optional(),
  message: z.string().optional(),
  parent_ids: z.array(z.string()).optional(),
  /** GitLab’s: `created_at` is that of the committer. */
  authored_date: datetime.optional(),
  committed_date: datetime.optional(),
  committer_name: z.string().optional(),
  committer_email: z.string().optional(),
  web_url: z.string().optional(),
})
export const branch = z.object({
  name: z.string(),
  merged: z.boolean(),
  protected: z.boolean(),
  default: z.boolean().optional(),
  /** GitLab's: what the caller, and what developers may do. */
  can_push: z.boolean().optional(),
  developers_can_push: z.boolean().optional(),
  developers_can_merge: z.boolean().optional(),
  commit,
})
const protectionLevel = z.object({
  /** Since 13.9. */
  id: id.optional(),
  /** Null for a user or a group (Premium). */
  access_level: z.int().nullable().optional(),
  access_level_description: z.string().optional(),
  /** Premium only. */
  user_id: id.nullable().optional(),
  group_id: id.nullable().optional(),
})
export const protectedBranch = z.object({
  id,
  /** A branch, or a pattern with `*`. */
  name: z.string(),
  push_access_levels: z.array(protectionLevel),
  merge_access_levels: z.array(protectionLevel),
  allow_force_push: z.boolean().optional(),
})
/** GitLab docs: api/events, those with `action=pushed`. A push of more than three refs names no ref and no commits. */
export const pushEvent = z.object({
  id,
  project_id: id,
  action_name: z.string(),
  created_at: datetime,
  author_id: id,
  author: userSummary,
  push_data: z.object({
    action: z.enum(['created', 'removed', 'pushed']),
    ref_type: z.enum(['branch', 'tag']),
    ref: z.string().nullable(),
    ref_count: z.int().nullable().optional(),
    /** Null for a new ref. */
    commit_from: z.string().nullable(),
    /** Null for a removed ref. */
    commit_to: z.string().nullable(),
  }),
})
export const tag = z.object({
  name: z.string(),
  /** Null for a lightweight tag. */
  message: z.string().nullable(),
  /** The tag object of an annotated tag, else the commit. */
  target: z.string().optional(),
  commit,
  protected: z.boolean().optional(),
})
/** A file elsewhere that belongs to a release. */
export const releaseLink = z.object({
  id,
  name: z.string(),
  url: z.string(),
  direct_asset_url: z.string().optional(),
  link_type: z.string().optional(),
})
export const release = z.object({
  tag_name: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  created_at: datetime,
  released_at: datetime.optional(),
  author: userSummary.optional(),
  commit: commit.optional(),
  assets: z.object({ count, sources: z.array(z.unknown()), links: z.array(releaseLink) }).optional(),
})
export const deployment = z.object({
  id,
  iid: id,
  ref: z.string(),
  sha: z.string(),
  status: z.string().optional(),
  created_at: datetime,
  updated_at: datetime,
  user: userSummary.nullable().optional(),
  environment: z.object({ name: z.string() }),
})
export const commitStatus = z.object({
  id,
  sha: z.string(),
  ref: z.string().nullable(),
  status: z.string(),
  name: z.string(),
  target_url: z.string().nullable(),
  description: z.string().nullable(),
  created_at: datetime,
  author: userSummary,
  pipeline_id: id.optional(),
})
/** GET …/repository/files/:file_path: `content` is base64, `blob_id` the git blob. */
export const repositoryFile = z.object({
  file_name: z.string(),
  file_path: z.string(),
  size: z.int(),
  encoding: z.literal('base64'),
  content: z.string(),
  ref: z.string(),
  blob_id: z.string(),
  commit_id: z.string(),
  last_commit_id: z.string(),
})
/** What a write of a file answers. */
export const changedFile = repositoryFile.pick({ file_path: true }).extend({ branch: z.string() })
/** GET …/repository/tree: `type` is `tree`, `blob` or `commit`. */
export const treeEntry = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  path: z.string(),
  mode: z.string(),
})
