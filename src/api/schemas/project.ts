// Projects, web hooks, push rules, share links and uploads.
import * as z from 'zod'
import { count, datetime, id, shownAccessLevel, visibility } from './scalars.ts'

/** A group, or the place of a user’s own projects. */
export const namespace = z.object({
  id,
  name: z.string(),
  path: z.string(),
  kind: z.enum(['group', 'user']),
  full_path: z.string(),
  /** GitLab’s; null at the top. */
  parent_id: id.nullable().optional(),
  web_url: z.string().optional(),
  avatar_url: z.string().nullable().optional(),
})

const access = z.object({ access_level: shownAccessLevel, notification_level: z.int() })

/** The feature switches of project settings. */
export const projectSwitches = {
  issues_enabled: z.boolean(),
  merge_requests_enabled: z.boolean(),
  wiki_enabled: z.boolean(),
  jobs_enabled: z.boolean(),
  snippets_enabled: z.boolean(),
  container_registry_enabled: z.boolean(),
  resolve_outdated_diff_discussions: z.boolean(),
  shared_runners_enabled: z.boolean(),
  public_jobs: z.boolean(),
  request_access_enabled: z.boolean(),
  only_allow_merge_if_pipeline_succeeds: z.boolean(),
  only_allow_merge_if_all_discussions_are_resolved: z.boolean(),
}

/** How merge requests are merged; not on the API page. Merged results and trains need Premium. */
export const mergeSettings = {
  merge_method: z.enum(['merge', 'rebase_merge', 'ff']),
  /** In the API since 19.4; the setting itself is older. */
  automatic_rebase_enabled: z.boolean(),
  squash_option: z.enum(['never', 'always', 'default_on', 'default_off']),
  allow_merge_on_skipped_pipeline: z.boolean(),
  merge_pipelines_enabled: z.boolean(),
  merge_trains_enabled: z.boolean(),
  /** Since 19.3: whether a plain merge may go past the train. */
  merge_train_enforcement: z.enum(['allow_bypass', 'enforce_for_all_users', 'enforce_with_owner_override']),
}

/** With `simple=true`. */
export const simpleProject = z.object({ id, web_url: z.string(), name: z.string(), path: z.string() })

export const relatedProject = z.object({
  id,
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
})

/** GitLab shows `…_access_level` instead of some, and null for what was never set. */
const never = z.boolean().nullable().optional()
const switchesShown = {
  ...z.object(projectSwitches).partial().shape,
  only_allow_merge_if_all_discussions_are_resolved: never,
  container_registry_enabled: never,
  resolve_outdated_diff_discussions: never,
}

export const project = relatedProject.extend({
  ...switchesShown,
  description: z.string().nullable(),
  /** Null for an empty repository. */
  default_branch: z.string().nullable().optional(),
  /** Only in older versions, as `topics`. */
  tag_list: z.array(z.string()).optional(),
  archived: z.boolean().optional(),
  visibility: visibility.optional(),
  ssh_url_to_repo: z.string(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  created_at: datetime,
  last_activity_at: datetime,
  creator_id: id.optional(),
  namespace,
  /** Only in a user's own namespace. */
  owner: z.object({ id, name: z.string(), created_at: datetime }).optional(),
  avatar_url: z.string().nullable().optional(),
  star_count: count,
  forks_count: count,
  open_issues_count: count.optional(),
  shared_with_groups: z
    .array(z.object({ group_id: id, group_name: z.string(), group_access_level: shownAccessLevel }))
    .optional(),
  import_status: z.string().optional(),
  import_error: z.string().nullable().optional(),
  permissions: z
    .object({ project_access: access.nullable().optional(), group_access: access.nullable().optional() })
    .optional(),
  /** A secret, only for those who may see it. */
  runners_token: z.string().optional(),
  /** Absent without Premium. */
  approvals_before_merge: count.optional(),
  statistics: z
    .object({
      commit_count: count,
      storage_size: count,
      repository_size: count,
      lfs_objects_size: count,
      job_artifacts_size: count,
    })
    .optional(),
  _links: z
    .object({
      self: z.string(),
      issues: z.string(),
      merge_requests: z.string(),
      repo_branches: z.string(),
      labels: z.string(),
      events: z.string(),
      members: z.string(),
    })
    .partial()
    .optional(),
  /** Only in the single form. */
  repository_storage: z.string().optional(),
  /** Only in the single form; the parameter is `printing_merge_request_link_enabled`. */
  printing_merge_requests_link_enabled: z.boolean().optional(),
  /** Only in the projects of an updated group. */
  public: z.boolean().optional(),
  /** Newer versions, instead of `tag_list`. */
  topics: z.array(z.string()).optional(),
  /** Newer versions: `disabled`, `private` (members only) or `enabled` (everyone who can see the project). */
  issues_access_level: z.string().optional(),
  merge_requests_access_level: z.string().optional(),
  ...z.object(mergeSettings).partial().shape,
  allow_merge_on_skipped_pipeline: z.boolean().nullable().optional(),
  /** Not on the API page; GitLab shows the source of a fork. */
  forked_from_project: relatedProject.extend({ web_url: z.string() }).optional(),
})

/** The flags that requests and hooks have under the same name. */
export const hookEvents = {
  push_events: z.boolean(),
  issues_events: z.boolean(),
  merge_requests_events: z.boolean(),
  tag_push_events: z.boolean(),
  note_events: z.boolean(),
  job_events: z.boolean(),
  pipeline_events: z.boolean(),
  /** Not on the API page, like the next four. GitLab: emojis since 16.2, access tokens 16.11, milestones 18.2. */
  releases_events: z.boolean().optional(),
  deployment_events: z.boolean().optional(),
  emoji_events: z.boolean().optional(),
  resource_access_token_events: z.boolean().optional(),
  milestone_events: z.boolean().optional(),
  /** Events of confidential issues, and internal notes. */
  confidential_issues_events: z.boolean().optional(),
  confidential_note_events: z.boolean().optional(),
}

/** The secret token is never returned. */
export const hook = z.object({
  id,
  project_id: id,
  url: z.string(),
  ...hookEvents,
  wiki_page_events: z.boolean(),
  enable_ssl_verification: z.boolean(),
  created_at: datetime,
  /** Since 19.0: whether the secrets are set. */
  token_present: z.boolean().optional(),
  signing_token_present: z.boolean().optional(),
  /** Not on the API page: `executable`, `temporarily_disabled` or `disabled`. */
  alert_status: z.string().optional(),
  disabled_until: datetime.nullable().optional(),
})

/** A hook of a group, for all projects in it and its subgroups; Premium (GitLab's API page). */
export const groupHook = hook.omit({ project_id: true }).extend({ group_id: id })

/** A hook of the whole installation, for administrators; sends few events (GitLab's API page). */
export const systemHook = hook
  .pick({ id: true, url: true, push_events: true, tag_push_events: true, merge_requests_events: true })
  .extend(
    hook.pick({ enable_ssl_verification: true, created_at: true, token_present: true, signing_token_present: true })
      .shape,
  )

/** One delivery of a hook, as in GitLab since 17.4. */
export const hookDelivery = z.object({
  id,
  url: z.string(),
  /** `merge_request_hooks` */
  trigger: z.string(),
  request_data: z.record(z.string(), z.unknown()),
  /** A number, or text without a response. */
  response_status: z.string(),
  /** Seconds. */
  execution_duration: z.number(),
})

const expression = z.string().max(511)
export const pushLimits = {
  deny_delete_tag: z.boolean(),
  member_check: z.boolean(),
  prevent_secrets: z.boolean(),
  /** All commit messages must match. */
  commit_message_regex: expression,
  /** All branch names must match. */
  branch_name_regex: expression,
  /** All author e-mails must match. */
  author_email_regex: expression,
  /** Committed file names must not match. */
  file_name_regex: expression,
  /** MB; 0 is no limit. */
  max_file_size: count,
}
export const pushRule = z.object({
  id,
  project_id: id,
  ...pushLimits,
  created_at: datetime,
  /** Not on the API page: GitLab’s. */
  reject_unsigned_commits: z.boolean().optional(),
})

export const upload = z.object({
  alt: z.string(),
  /** Relative to the project's path. */
  url: z.string(),
  markdown: z.string(),
  /** GitLab’s: relative to the service. */
  full_path: z.string().optional(),
})

/** Not on the API page; has the fields of its parameters. */
export const shareLink = z.object({
  id,
  project_id: id,
  group_id: id,
  group_access: shownAccessLevel,
  expires_at: z.string().nullable(),
})

/** The response to asynchronous calls (202), and to calls without a documented shape. */
export const message = z.object({ message: z.string() })
