// The sandbox's state besides git, as plain JSON records (api-v4.md §2).
export type * from './pipeline-records.ts'
export type * from './work-records.ts'

export type User = Readonly<{
  id: number
  /** One counter for users and groups. */
  namespace_id: number
  username: string
  name: string
  email: string
  state: 'active'
  bot: boolean
  is_admin: boolean
  can_create_group: boolean
  created_at: string
  /** Absent: none was set. */
  status?: Readonly<{ emoji: string | null; message: string | null; availability: 'not_set' | 'busy' }>
}>

export type Token = Readonly<{
  id: number
  user_id: number
  name: string
  scopes: readonly string[]
  /** SHA-256. */
  digest: string
  /** The first day on which it is refused; null: never. */
  expires_at: string | null
  created_at: string
  /** Of OAuth: works as Bearer alone. */
  oauth?: true
  /** Of this project. */
  project_id?: number
  /** That it expires soon was sent. */
  warned?: true
}>

type Visibility = 'private' | 'internal' | 'public'
export type AccessLevel = 5 | 10 | 15 | 20 | 30 | 40 | 50

export type Group = Readonly<{
  id: number
  name: string
  path: string
  full_path: string
  full_name: string
  description: string
  visibility: Visibility
  lfs_enabled: boolean
  request_access_enabled: boolean
  parent_id: number | null
  /** Forbids new members in the group's projects (api-v4.md §4.1). */
  membership_lock: boolean
  /** Forbids sharing of the group's projects. */
  share_with_group_lock: boolean
  shared_runners_minutes_limit: number | null
  created_at: string
}>

export type LdapLink = Readonly<{
  id: number
  group_id: number
  cn: string
  group_access: AccessLevel
  provider: string
}>

export type Member = Readonly<{
  id: number
  source: 'group' | 'project'
  source_id: number
  user_id: number
  access_level: AccessLevel
  /** A date; membership ends with it. */
  expires_at: string | null
}>

/** Feature switches of a project (api-v4.md §2.2). */
type ProjectSwitches = Readonly<
  Record<
    | 'issues_enabled'
    | 'merge_requests_enabled'
    | 'wiki_enabled'
    | 'jobs_enabled'
    | 'snippets_enabled'
    | 'container_registry_enabled'
    | 'resolve_outdated_diff_discussions'
    | 'shared_runners_enabled'
    | 'public_jobs'
    | 'request_access_enabled'
    | 'lfs_enabled'
    | 'only_allow_merge_if_pipeline_succeeds'
    | 'only_allow_merge_if_all_discussions_are_resolved'
    | 'printing_merge_requests_link_enabled'
    | 'allow_merge_on_skipped_pipeline'
    | 'merge_pipelines_enabled'
    | 'merge_trains_enabled'
    | 'reset_approvals_on_push',
    boolean
  >
>

type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed'

export type Project = ProjectSwitches &
  Readonly<{
    id: number
    namespace_id: number
    name: string
    path: string
    path_with_namespace: string
    description: string | null
    default_branch: string
    visibility: Visibility
    tag_list: readonly string[]
    creator_id: number
    created_at: string
    /** Last change of settings; not shown, used for sorting. */
    updated_at: string
    last_activity_at: string
    approvals_before_merge: number
    merge_method: 'merge' | 'rebase_merge' | 'ff'
    /** A merge rebases what is behind its target; for `rebase_merge` and `ff`. */
    automatic_rebase_enabled: boolean
    squash_option: 'never' | 'always' | 'default_on' | 'default_off'
    merge_train_enforcement: 'allow_bypass' | 'enforce_for_all_users' | 'enforce_with_owner_override'
    archived: boolean
    ci_config_path: string | null
    repository_storage: string
    /** May hold a password: never shown. */
    import_url: string | null
    import_status: ImportStatus
    import_error: string | null
    runners_token: string
    avatar: string | null
    forked_from_id: number | null
    /** Null: the built-in tracker. */
    /** All announced branches and tags with their commits. */
    known_refs: Readonly<Record<string, string>>
  }>

export type Star = Readonly<{ id: number; project_id: number; user_id: number }>

/** A share: members of the group get at most `group_access`. */
export type ShareLink = Readonly<{
  id: number
  project_id: number
  group_id: number
  group_access: AccessLevel
  expires_at: string | null
}>

export type PushRule = Readonly<{
  id: number
  project_id: number
  deny_delete_tag: boolean
  member_check: boolean
  prevent_secrets: boolean
  commit_message_regex: string
  branch_name_regex: string
  author_email_regex: string
  file_name_regex: string
  /** MB; 0 is no limit. */
  max_file_size: number
  created_at: string
}>

/** Nobody 0, developer 30, maintainer 40, administrator 60. */
export type ProtectionLevel = 0 | 30 | 40 | 60

/** Who may: a role, or with Premium a user or a group. */
export type ProtectionAccess = Readonly<{
  id: number
  access_level: ProtectionLevel | null
  user_id: number | null
  group_id: number | null
}>

export type ProtectedBranch = Readonly<{
  id: number
  project_id: number
  /** A branch, or a pattern with `*`. */
  name: string
  /** Null where only the list counts. */
  push_access_level: ProtectionLevel | null
  merge_access_level: ProtectionLevel | null
  /** Besides the level (Premium). */
  allowed_to_push?: readonly ProtectionAccess[]
  allowed_to_merge?: readonly ProtectionAccess[]
  /** Who may change it and take it away (Premium); absent: all maintainers. */
  unprotect_access_level?: ProtectionLevel | null
  allowed_to_unprotect?: readonly ProtectionAccess[]
  code_owner_approval_required?: boolean
  allow_force_push: boolean
}>

export type HookEventFlags = Readonly<
  Record<
    | 'push_events'
    | 'issues_events'
    | 'merge_requests_events'
    | 'tag_push_events'
    | 'note_events'
    | 'job_events'
    | 'pipeline_events'
    | 'wiki_page_events'
    | 'confidential_issues_events'
    | 'confidential_note_events'
    | 'releases_events'
    | 'deployment_events'
    | 'emoji_events'
    | 'resource_access_token_events'
    | 'milestone_events',
    boolean
  >
>

export type Hook = HookEventFlags & HookReceiver & Readonly<{ project_id: number }>
export type GroupHook = HookEventFlags & HookReceiver & Readonly<{ group_id: number }>
/** Sends for every project, with the event `System Hook`. */
export type SystemHook = SystemHookFlags & HookReceiver
export type SystemHookFlags = Pick<HookEventFlags, 'push_events' | 'tag_push_events' | 'merge_requests_events'>

/** Where a hook's deliveries go; ids are unique among all kinds of hooks. */
export type HookReceiver = Readonly<{
  id: number
  url: string
  enable_ssl_verification: boolean
  token: string | null
  /** Signs deliveries (hosting-service.md §1.2). */
  signing_token: string | null
  created_at: string
}>
