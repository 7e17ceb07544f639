// The sandbox's world: all records, where the repositories are, and how hooks and background work are started.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Git } from '../git/git.ts'
import type { HookLog } from '../hooks/deliveries.ts'
import type { MergeFault } from '../http/faults.ts'
import type { Tier } from '../installation.ts'
import type * as records from '../records/records.ts'
import { type Collection, createCollection } from './collection.ts'
import type { KeyedMutex, SandboxClock } from './schedule.ts'

export type State = ReturnType<typeof createState>

const noteableKey = ({ noteable_type, noteable_id }: records.NoteableId) => `${noteable_type}:${noteable_id}`

/** The records of a sandbox, still empty. */
export function createState() {
  return {
    counters: createCollection<{ readonly id: string; readonly value: number }>()({}),
    users: createCollection<records.User>()({
      username: (user) => user.username.toLowerCase(),
      namespace: 'namespace_id',
    }),
    tokens: createCollection<records.Token>()({ digest: 'digest', project: (token) => token.project_id ?? 0 }),
    groups: createCollection<records.Group>()({
      path: (group) => group.full_path.toLowerCase(),
      parent: (group) => group.parent_id ?? 0,
    }),
    ldapLinks: createCollection<records.LdapLink>()({ group: 'group_id' }),
    members: createCollection<records.Member>()({
      source: (member) => `${member.source}:${member.source_id}`,
      place: (member) => `${member.source}:${member.source_id}:${member.user_id}`,
    }),
    projects: createCollection<records.Project>()({
      path: (project) => project.path_with_namespace.toLowerCase(),
      namespace: 'namespace_id',
      forkedFrom: (project) => project.forked_from_id ?? 0,
    }),
    stars: createCollection<records.Star>()({ project: 'project_id', user: 'user_id' }),
    shareLinks: createCollection<records.ShareLink>()({ project: 'project_id', group: 'group_id' }),
    pushRules: createCollection<records.PushRule>()({ project: 'project_id' }),
    protectedBranches: createCollection<records.ProtectedBranch>()({ project: 'project_id' }),
    hooks: createCollection<records.Hook>()({ project: 'project_id' }),
    groupHooks: createCollection<records.GroupHook>()({ group: 'group_id' }),
    systemHooks: createCollection<records.SystemHook>()({}),
    labels: createCollection<records.Label>()({ project: 'project_id' }),
    milestones: createCollection<records.Milestone>()({ project: 'project_id', group: 'group_id' }),
    issues: createCollection<records.IssueRecord>()({
      project: 'project_id',
      iid: (issue) => `${issue.project_id}:${issue.iid}`,
    }),
    mergeRequests: createCollection<records.MergeRequest>()({
      project: 'project_id',
      iid: (mr) => `${mr.project_id}:${mr.iid}`,
      source: 'source_project_id',
    }),
    diffVersions: createCollection<records.DiffVersion>()({ mergeRequest: 'merge_request_id' }),
    notes: createCollection<records.Note>()({ noteable: noteableKey }),
    awards: createCollection<records.AwardEmoji>()({ noteable: noteableKey }),
    blocks: createCollection<records.MergeRequestBlock>()({
      mergeRequest: 'merge_request_id',
      blocking: 'blocking_id',
    }),
    labelEvents: createCollection<records.LabelEvent>()({ noteable: noteableKey }),
    todos: createCollection<records.Todo>()({ noteable: noteableKey }),
    wikiPages: createCollection<records.WikiPage>()({ project: 'project_id' }),
    releases: createCollection<records.Release>()({ project: 'project_id' }),
    pushEvents: createCollection<records.PushEvent>()({ project: 'project_id' }),
    deployments: createCollection<records.Deployment>()({ project: 'project_id' }),
    pipelines: createCollection<records.PipelineRecord>()({
      project: 'project_id',
      sha: (pipeline) => `${pipeline.project_id}:${pipeline.sha}`,
      mergeRequest: (pipeline) => pipeline.merge_request_id ?? 0,
    }),
    pipelineScripts: createCollection<records.PipelineScript>()({ project: 'project_id' }),
    statuses: createCollection<records.CommitStatus>()({ pipeline: 'pipeline_id' }),
  }
}

export function allCollections(state: State): [string, Collection<{ readonly id: number | string }>][] {
  return Object.entries(state) as unknown as [string, Collection<{ readonly id: number | string }>][]
}

/** Starts pipelines for what happens, and lets merge trains go on. */
export interface Ci {
  pushed(
    world: World,
    project: records.Project,
    user: records.User,
    to: { branch: string; sha: string; skipsCi: boolean },
  ): Promise<void>
  /** After a merge request was opened or got a new head. */
  moved(world: World, mr: records.MergeRequest, user: records.User): Promise<void>
  /** On the commit of its merge train; undefined without a script for it. */
  trained(
    world: World,
    mr: records.MergeRequest,
    user: records.User,
    commit: MergeRef,
  ): Promise<records.PipelineRecord | undefined>
  cancel(world: World, pipeline: records.PipelineRecord): Promise<records.PipelineRecord>
}

/** A commit that merges the head `source_sha`. */
export interface MergeRef {
  sha: string
  ref: string
  source_sha: string
}

export interface World extends State {
  /** Base URL, without a slash at the end. */
  readonly url: string
  readonly tier: Tier
  readonly git: Git
  /** Runs one task at a time for each key, such as `project 1`. */
  readonly serialise: KeyedMutex
  readonly folder: string
  readonly uploadsFolder: string
  /** Queues an event of a project, which its payload shows as well; it is sent after the present answer. */
  readonly send: (
    project: records.Project,
    flag: keyof records.HookEventFlags,
    payload: Record<string, unknown>,
  ) => void
  readonly hookLog: HookLog
  /**
   * Runs a task after the response, under the lock of `key`, in a world of its own. Errors make the sandbox's `idle`
   * reject.
   */
  readonly background: (key: string, task: (world: World) => Promise<void>) => void
  readonly clock: Pick<SandboxClock, 'now'>
  /** As `background`, once that time of the clock has come. */
  readonly later: (at: number, key: string, task: (world: World) => Promise<void>) => void
  readonly ci: Ci
  /** Draws the fault of the merge that is about to happen (http/faults.ts). */
  readonly mergeFault: () => MergeFault | undefined
}

/** The next number of a counter; a number is never given twice. */
export function nextNumber(world: State, counter: string): number {
  return setCounter(world, counter, (world.counters.get(counter)?.value ?? 0) + 1)
}

/** The time, later than any time given before: `updated_at` always moves. */
export function now(world: State): string {
  const last = world.counters.get('time')?.value ?? 0
  return new Date(setCounter(world, 'time', Math.max(Date.now(), last + 1))).toISOString()
}

function setCounter({ counters }: State, id: string, value: number) {
  if (counters.get(id) === undefined) counters.add({ id, value })
  else counters.update(id, { value })
  return value
}

/** Named by id, so that no external name becomes a path. */
export function repositoryFolder(world: World, projectId: number): string {
  return join(world.folder, `${projectId}.git`)
}

export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Users are never removed. */
export function userById(world: State, id: number): records.User {
  const user = world.users.get(id)
  if (user === undefined) throw new Error(`no user ${id}`)
  return user
}

/** Where its pages are. */
export function webUrl(world: World, project: Pick<records.Project, 'path_with_namespace'>): string {
  return `${world.url}/${project.path_with_namespace}`
}

export function projectById(world: State, id: number): records.Project {
  const project = world.projects.get(id)
  if (project === undefined) throw new Error(`no project ${id}`)
  return project
}
