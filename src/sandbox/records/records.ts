// The sandbox's state besides git, as plain JSON records.
import type * as z from 'zod'
import type { group, ldapLink } from '../../api/schemas/group.ts'
import type { hook, mergeSettings, project, projectSwitches, pushRule, shareLink } from '../../api/schemas/project.ts'
import type { accessLevel } from '../../api/schemas/scalars.ts'
import type { personalAccessToken, user } from '../../api/schemas/user.ts'

export type * from './work-records.ts'

/** The fields of a response that a record has, always. */
type Shown<Schema extends z.ZodType, Fields extends keyof z.output<Schema>> = Readonly<
  Required<Pick<z.output<Schema>, Fields>>
>

export type User = Shown<typeof user, 'id' | 'username' | 'name' | 'email' | 'bot' | 'is_admin' | 'can_create_group'> &
  Readonly<{
    /** One counter for users and groups. */
    namespace_id: number
    state: 'active'
    created_at: string
    /** Absent: none was set. */
    status?: Readonly<{ emoji: string | null; message: string | null; availability: 'not_set' | 'busy' }>
  }>

/** `expires_at`: the first day on which it is refused; null: never. */
export type Token = Shown<typeof personalAccessToken, 'id' | 'user_id' | 'name' | 'created_at' | 'expires_at'> &
  Readonly<{
    scopes: readonly string[]
    /** SHA-256. */
    digest: string
    /** A token of OAuth, which works as Bearer alone. */
    oauth?: true
    project_id?: number
  }>

export type AccessLevel = z.output<typeof accessLevel>

export type Group = Readonly<
  Omit<z.output<typeof group>, 'avatar_url' | 'web_url' | 'statistics'> & {
    /** Forbids new members in the group's projects. */
    membership_lock: boolean
    /** Forbids sharing of the group's projects. */
    share_with_group_lock: boolean
    shared_runners_minutes_limit: number | null
    /** The URL of its upload. */
    avatar: string | null
    created_at: string
  }
>

export type LdapLink = Readonly<z.output<typeof ldapLink> & { id: number; group_id: number }>

export type Member = Readonly<{
  id: number
  source: 'group' | 'project'
  source_id: number
  user_id: number
  access_level: AccessLevel
  /** A date; membership ends with it. */
  expires_at: string | null
}>

type ProjectField =
  | ('id' | 'name' | 'path' | 'path_with_namespace' | 'description' | 'visibility' | 'archived')
  | ('creator_id' | 'created_at' | 'last_activity_at' | 'import_error' | 'runners_token' | 'repository_storage')
  | ('approvals_before_merge' | 'printing_merge_requests_link_enabled')

export type Project = Readonly<z.output<z.ZodObject<typeof projectSwitches & typeof mergeSettings>>> &
  Shown<typeof project, ProjectField> &
  Readonly<{
    default_branch: string
    lfs_enabled: boolean
    reset_approvals_on_push: boolean
    namespace_id: number
    tag_list: readonly string[]
    /** Last change of settings; not shown, used for sorting. */
    updated_at: string
    ci_config_path: string | null
    /** May hold a password: never shown. */
    import_url: string | null
    import_status: 'none' | 'scheduled' | 'started' | 'finished' | 'failed'
    /** The URL of its upload. */
    avatar: string | null
    forked_from_id: number | null
    /** All announced branches and tags with their commits. */
    known_refs: Readonly<Record<string, string>>
  }>

export type Star = Readonly<{ id: number; project_id: number; user_id: number }>

/** A share: members of the group get at most `group_access`. */
export type ShareLink = Readonly<z.output<typeof shareLink> & { group_access: AccessLevel }>

export type PushRule = Readonly<z.output<typeof pushRule>>

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
  /** Null if only the list counts. */
  push_access_level: ProtectionLevel | null
  merge_access_level: ProtectionLevel | null
  /** Besides the level (Premium). */
  allowed_to_push?: readonly ProtectionAccess[]
  allowed_to_merge?: readonly ProtectionAccess[]
  allow_force_push: boolean
}>

/** Which kinds of events a hook gets. */
export type HookEventFlags = Readonly<Record<Extract<keyof z.output<typeof hook>, `${string}_events`>, boolean>>

export type Hook = HookEventFlags & HookReceiver & Readonly<{ project_id: number }>
export type GroupHook = HookEventFlags & HookReceiver & Readonly<{ group_id: number }>
/** Sends for every project, with the event `System Hook`. */
export type SystemHook = HookReceiver &
  Pick<HookEventFlags, 'push_events' | 'tag_push_events' | 'merge_requests_events'>

/** Where a hook's deliveries go; ids are unique among all kinds of hooks. */
export type HookReceiver = Shown<typeof hook, 'id' | 'url' | 'enable_ssl_verification' | 'created_at'> &
  Readonly<{
    token: string | null
    /** Signs deliveries. */
    signing_token: string | null
  }>
