// The sandbox's world: all records in one place, the repositories beside them, and the way out for hooks.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Collection, createCollection } from './collection.ts'
import { createCounters } from './counters.ts'
import type { Git } from './git/git.ts'
import type { HookEvent } from './hooks/deliveries.ts'
import type { HookLog } from './hooks/hook-log.ts'
import type {
  AwardEmoji,
  CommitStatus,
  DiffVersion,
  Group,
  Hook,
  Issue,
  Label,
  LabelEvent,
  LdapLink,
  Member,
  MergeRequest,
  Milestone,
  Note,
  Pipeline,
  Project,
  PushRule,
  ShareLink,
  Star,
  Todo,
  Token,
  User,
  WikiPage,
} from './records.ts'
import type { Serialise } from './serialise.ts'

export type State = ReturnType<typeof createState>

/** Empty collections and counters; everything that would have to be written to disk to come back the same. */
export function createState() {
  return {
    counters: createCounters(),
    users: createCollection<User, 'username' | 'namespace'>({
      username: (user) => user.username.toLowerCase(),
      namespace: (user) => user.namespace_id,
    }),
    tokens: createCollection<Token, 'digest'>({ digest: (token) => token.digest }),
    groups: createCollection<Group, 'path' | 'parent'>({
      path: (group) => group.full_path.toLowerCase(),
      parent: (group) => group.parent_id ?? 0,
    }),
    ldapLinks: createCollection<LdapLink, 'group'>({ group: (link) => link.group_id }),
    members: createCollection<Member, 'source' | 'user' | 'place'>({
      source: (member) => `${member.source}:${member.source_id}`,
      user: (member) => member.user_id,
      place: (member) => `${member.source}:${member.source_id}:${member.user_id}`,
    }),
    projects: createCollection<Project, 'path' | 'namespace' | 'forkedFrom'>({
      path: (project) => project.path_with_namespace.toLowerCase(),
      namespace: (project) => project.namespace_id,
      forkedFrom: (project) => project.forked_from_id ?? 0,
    }),
    stars: createCollection<Star, 'project' | 'user'>({ project: (star) => star.project_id, user: (star) => star.user_id }),
    shareLinks: createCollection<ShareLink, 'project' | 'group'>({ project: (link) => link.project_id, group: (link) => link.group_id }),
    pushRules: createCollection<PushRule, 'project'>({ project: (rule) => rule.project_id }),
    hooks: createCollection<Hook, 'project'>({ project: (hook) => hook.project_id }),
    labels: createCollection<Label, 'project'>({ project: (label) => label.project_id }),
    milestones: createCollection<Milestone, 'project'>({ project: (milestone) => milestone.project_id }),
    issues: createCollection<Issue, 'project' | 'iid'>({
      project: (issue) => issue.project_id,
      iid: (issue) => `${issue.project_id}:${issue.iid}`,
    }),
    mergeRequests: createCollection<MergeRequest, 'project' | 'iid' | 'source' | 'author' | 'assignee'>({
      project: (mr) => mr.project_id,
      iid: (mr) => `${mr.project_id}:${mr.iid}`,
      source: (mr) => mr.source_project_id,
      author: (mr) => mr.author_id,
      assignee: (mr) => mr.assignee_id ?? 0,
    }),
    /** Soft deletion (api-v4.md §3.1): kept, and found by nobody. */
    deletedMergeRequests: createCollection<MergeRequest>({}),
    diffVersions: createCollection<DiffVersion, 'mergeRequest'>({ mergeRequest: (version) => version.merge_request_id }),
    notes: createCollection<Note, 'noteable'>({ noteable: (note) => `${note.noteable_type}:${note.noteable_id}` }),
    awards: createCollection<AwardEmoji, 'mergeRequest'>({ mergeRequest: (award) => award.merge_request_id }),
    labelEvents: createCollection<LabelEvent, 'mergeRequest'>({ mergeRequest: (event) => event.merge_request_id }),
    todos: createCollection<Todo, 'user' | 'mergeRequest'>({ user: (todo) => todo.user_id, mergeRequest: (todo) => todo.merge_request_id }),
    wikiPages: createCollection<WikiPage, 'project'>({ project: (page) => page.project_id }),
    pipelines: createCollection<Pipeline, 'project' | 'sha' | 'mergeRequest'>({
      project: (pipeline) => pipeline.project_id,
      sha: (pipeline) => `${pipeline.project_id}:${pipeline.sha}`,
      mergeRequest: (pipeline) => pipeline.merge_request_id ?? 0,
    }),
    statuses: createCollection<CommitStatus, 'pipeline'>({ pipeline: (status) => status.pipeline_id }),
  }
}

/** The collections with their names. */
export function allCollections({ counters: _, ...collections }: State): [string, Collection<{ readonly id: number }, never>][] {
  return Object.entries(collections)
}

export interface World extends State {
  /** Base URL, without a slash at the end. */
  readonly url: string
  readonly git: Git
  readonly serialise: Serialise
  /** Where the bare repositories live. */
  readonly folder: string
  /** Where uploaded files and avatars lie. */
  readonly uploadsFolder: string
  /** Queues a hook's event; it leaves after the present answer. */
  readonly send: (event: HookEvent) => void
  /** What became of deliveries. */
  readonly hookLog: HookLog
  /**
   * Runs a task after the present answer, when the lock of `key` (`project 1`) is free. The task gets a world of its own, whose hooks leave
   * after the task. What can go wrong is the task's to record; what it throws makes the sandbox's `idle` reject.
   */
  readonly background: (key: string, task: (world: World) => Promise<void>) => void
}

/** The next number of a counter; a number is never given twice. */
export function nextNumber(world: State, counter: string): number {
  const next = (world.counters.get(counter) ?? 0) + 1
  world.counters.set(counter, next)
  return next
}

/** The time, later than any time given before: `updated_at` always moves. */
export function now(world: State): string {
  const time = Math.max(Date.now(), (world.counters.get('time') ?? 0) + 1)
  world.counters.set('time', time)
  return new Date(time).toISOString()
}

/** A project's bare repository; named by id, so that no name from outside becomes a path. */
export function repositoryFolder(world: World, projectId: number): string {
  return join(world.folder, `${projectId}.git`)
}

/** How tokens are kept. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The user behind an id of a record; users are never removed. */
export function userById(world: State, id: number): User {
  const user = world.users.get(id)
  if (user === undefined) throw new Error(`no user ${id}`)
  return user
}

/** The project behind an id of a record. */
export function projectById(world: State, id: number): Project {
  const project = world.projects.get(id)
  if (project === undefined) throw new Error(`no project ${id}`)
  return project
}
