// A project and its web hooks (api-v4.md §2.2, §2.7).
import { z } from 'zod'
import { datetime, id, visibility } from './scalars.ts'

export const project = z.object({
  id,
  description: z.string().nullable(),
  default_branch: z.string(),
  tag_list: z.array(z.string()),
  archived: z.boolean(),
  visibility,
  ssh_url_to_repo: z.string(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: datetime,
  last_activity_at: datetime,
  creator_id: id,
  namespace: z.object({ id, name: z.string(), path: z.string(), kind: z.enum(['group', 'user']), full_path: z.string() }),
  star_count: z.int(),
  forks_count: z.int(),
  only_allow_merge_if_pipeline_succeeds: z.boolean(),
  only_allow_merge_if_all_discussions_are_resolved: z.boolean(),
  approvals_before_merge: z.int(),
})

/** The secret token is never returned. */
export const hook = z.object({
  id,
  project_id: id,
  url: z.string(),
  push_events: z.boolean(),
  issues_events: z.boolean(),
  merge_requests_events: z.boolean(),
  tag_push_events: z.boolean(),
  note_events: z.boolean(),
  job_events: z.boolean(),
  pipeline_events: z.boolean(),
  wiki_page_events: z.boolean(),
  enable_ssl_verification: z.boolean(),
  created_at: datetime,
})
