// Turns a payload into an event (hosting-service.md §2) and finds what it is about.
import type { Payload } from '../../api/hooks.ts'
import { stableFacts } from '../../rules/facts/reading/stable-facts.ts'
import type { Actor, Event, StableFacts } from '../../rules/types.ts'

/** What an event is about: a merge request, those of a branch, or none. */
export type Concern =
  | { about: 'merge request'; project: number; iid: number }
  /** `sha`: only those with this head. */
  | { about: 'branch'; project: number; branch: string; sha?: string }
  | { about: 'none'; reason: string }

export interface ReadEvent {
  event: Event
  concern: Concern
  push?: { project: number; branch: string; from: string | null; to: string | null }
  /** Stable facts of its one merge request. */
  stable?: StableFacts
}

/** Never throws, whatever the payload lacks. */
export function readEvent(payload: Payload, at: string): ReadEvent {
  const kind = cut(payload.object_kind ?? payload.event_name ?? 'unknown')
  const project = numbered(payload.project?.id ?? payload.object_attributes?.target_project_id ?? payload.project_id)
  const base: Event = { kind, actor: actorOf(payload), at, ...(project === undefined ? {} : { project }) }
  switch (kind) {
    case 'merge_request':
      return readMergeRequest(payload, base)
    case 'pipeline':
      return readPipeline(payload, base)
    case 'push':
      return readPush(payload, base)
    case 'tag_push':
      return readTagPush(payload, base)
    case 'note':
      return readNote(payload, base)
    case 'issue':
    case 'wiki_page':
      return readProjectEvent(payload, base)
    default:
      return { event: base, concern: noTarget(`No rule is about ${kind} events.`) }
  }
}

/** The projects that Bellhop may act on because of it; not, for example, the fork of a merge request. */
export function actedOn({ event, concern, push }: ReadEvent): number[] {
  const projects = [event.project, concern.about === 'none' ? undefined : concern.project, push?.project]
  return [...new Set(projects)].filter((project) => project !== undefined)
}

function actorOf(payload: Payload): Actor {
  const id = payload.user?.id ?? payload.user_id
  const username = payload.user?.username ?? payload.user_username
  return { ...(id === undefined ? {} : { id }), ...(username === undefined ? {} : { username }) }
}

function readMergeRequest(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const event: Event = { ...base, kind: `merge_request.${actionOf(attributes)}` }
  if (payload.changes) event.changed = Object.keys(payload.changes).slice(0, 100).map(cut)
  const labels = labelsIn(payload.changes?.labels)
  if (labels !== undefined && attributes?.updated_at !== undefined)
    event.labels = { ...labels, at: cut(attributes.updated_at) }
  const head = attributes?.last_commit?.id
  if (attributes?.oldrev !== undefined && head !== undefined) event.pushed = { from: attributes.oldrev, to: head }
  const project = numbered(attributes?.target_project_id) ?? base.project
  const iid = numbered(attributes?.iid)
  if (project === undefined || iid === undefined) {
    return { event, concern: noTarget('The merge request’s project or iid is missing.') }
  }
  return {
    event: { ...event, ...headOf(head), ...targetOf(attributes?.target_branch), project, iid },
    concern: { about: 'merge request', project, iid },
    ...stableOf(payload.object_attributes),
  }
}

/** The approvals that a push resets are no person's act: its actor is who pushed (hosting-service.md §2.2, since 18.6). */
function actionOf(attributes: Payload['object_attributes']): string {
  // System hooks and old versions leave out the action on some updates (hosting-service.md §2.2).
  const action = cut(attributes?.action ?? 'update')
  const isReset = attributes?.system === true && (action === 'unapproved' || action === 'unapproval')
  return isReset ? 'approvals_reset' : action
}

// More labels are not changed at once.
const mostLabels = 20
const longestLabel = 255

/** Undefined unless both sides are given: absent is not empty. */
function labelsIn(change: unknown): { added: string[]; removed: string[] } | undefined {
  if (typeof change !== 'object' || change === null || !('previous' in change) || !('current' in change))
    return undefined
  const [before, after] = [titlesOf(change.previous), titlesOf(change.current)]
  if (before === undefined || after === undefined) return undefined
  const only = (titles: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...titles].filter((title) => !others.has(title)).slice(0, mostLabels)
  const [added, removed] = [only(after, before), only(before, after)]
  return added.length + removed.length === 0 ? undefined : { added, removed }
}

/** Labels are objects in hooks (hosting-service.md §2.2). Undefined where one of them has no title: it may be any. */
function titlesOf(list: unknown): Set<string> | undefined {
  if (!Array.isArray(list)) return undefined
  const titles = list.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'title' in each ? each.title : undefined,
  )
  return titles.every((title) => typeof title === 'string' && title.length <= longestLabel)
    ? new Set(titles as string[])
    : undefined
}

function stableOf(mergeRequest: Payload['merge_request']): Pick<ReadEvent, 'stable'> {
  const { source_branch, source_project_id, target_project_id } = mergeRequest ?? {}
  const stable = stableFacts({ source_branch, source_project_id, target_project_id })
  return Object.keys(stable).length === 0 ? {} : { stable }
}

/** Absent when the source branch is gone (hosting-service.md §2.2). */
function headOf(sha: string | undefined): Pick<Event, 'head'> {
  return sha !== undefined && /^[0-9a-f]{40,64}$/.test(sha) ? { head: sha } : {}
}

/** Longer than any branch: counts as absent. */
function targetOf(branch: unknown): Pick<Event, 'target'> {
  return typeof branch === 'string' && branch !== '' && branch.length <= longestLabel ? { target: branch } : {}
}

function readPipeline(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const event: Event = { ...base, kind: `pipeline.${cut(attributes?.status ?? 'unknown')}` }
  if (attributes?.ref !== undefined) event.ref = attributes.ref
  if (attributes?.id !== undefined && attributes.sha !== undefined) {
    const source = typeof attributes.source === 'string' ? { source: attributes.source } : {}
    event.pipeline = { id: attributes.id, sha: attributes.sha, status: attributes.status ?? 'unknown', ...source }
  }
  const link = payload.merge_request
  // A fork's merge request runs its pipeline in the fork, but belongs to the target project.
  const project = numbered(link?.target_project_id) ?? base.project
  if (project === undefined) return { event, concern: noTarget('The pipeline’s project is missing.') }
  const linked = numbered(link?.iid)
  if (linked !== undefined)
    return {
      event: { ...event, project, iid: linked },
      concern: { about: 'merge request', project, iid: linked },
      ...stableOf(link),
    }
  if (attributes?.tag === true || !attributes?.ref)
    return { event, concern: noTarget('The pipeline is not one of a branch.') }
  // Versions around 11.10 send refs/merge-requests/15/head instead of the branch (hosting-service.md §2.4).
  const iid = numbered(Number(/^refs\/merge-requests\/(\d{1,9})\//.exec(attributes.ref)?.[1] ?? 0))
  if (iid !== undefined) return { event: { ...event, iid }, concern: { about: 'merge request', project, iid } }
  return {
    event,
    concern: {
      about: 'branch',
      project,
      branch: attributes.ref,
      ...(attributes.sha === undefined ? {} : { sha: attributes.sha }),
    },
  }
}

/** Without an action it is a new note (hosting-service.md §2.3). Its commands: rules/language/commands. */
function readNote(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const event: Event = { ...base, kind: `note.${cut(attributes?.action ?? 'create')}` }
  const note = numbered(attributes?.id)
  if (note !== undefined)
    event.note = { id: note, mentions: attributes?.note === undefined || /^[ \t]*@\S/m.test(attributes.note) }
  if (attributes?.noteable_type !== 'MergeRequest' || attributes.system === true)
    return { event, concern: noTarget('The note is not one on a merge request by a person.') }
  const project = numbered(payload.merge_request?.target_project_id) ?? base.project
  const iid = numbered(payload.merge_request?.iid)
  if (project === undefined || iid === undefined)
    return { event, concern: noTarget('The note’s merge request is missing.') }
  return {
    event: {
      ...event,
      ...headOf(payload.merge_request?.last_commit?.id),
      ...targetOf(payload.merge_request?.target_branch),
      project,
      iid,
    },
    concern: { about: 'merge request', project, iid },
    ...stableOf(payload.merge_request),
  }
}

function readPush(payload: Payload, base: Event): ReadEvent {
  const branch = /^refs\/heads\/(.+)$/s.exec(payload.ref ?? '')?.[1]
  if (branch === undefined || base.project === undefined)
    return { event: base, concern: noTarget('The push is not one to a branch of a known project.') }
  const from = commitOrNull(payload.before)
  const to = payload.after === undefined || payload.after === '' ? null : commitOrNull(payload.after)
  const event: Event = {
    ...base,
    ref: branch,
    ...changeOf(payload),
    ...(from !== null && to !== null ? { pushed: { from, to } } : {}),
  }
  const push = { project: base.project, branch, from, to }
  if (to === null) return { event, push, concern: noTarget('The branch was deleted.') }
  return { event, push, concern: { about: 'branch', project: base.project, branch } }
}

function readTagPush(payload: Payload, base: Event): ReadEvent {
  const tag = /^refs\/tags\/(.+)$/s.exec(payload.ref ?? '')?.[1]
  return {
    event: { ...base, ...(tag === undefined ? {} : { ref: tag }), ...changeOf(payload) },
    concern: noTarget(noMergeRequest),
  }
}

/** Empty where the payload does not tell. */
function changeOf({ before, after }: Payload): Pick<Event, 'refChange'> {
  const [from, to] = [commitOrNull(before), commitOrNull(after)]
  if (from === 'unknown' || to === 'unknown' || (from === null && to === null)) return {}
  return { refChange: from === null ? 'created' : to === null ? 'deleted' : 'updated' }
}

/** Of an issue or a page of the wiki (hosting-service.md §2.5); without an action it is an update. */
function readProjectEvent(payload: Payload, base: Event): ReadEvent {
  const event: Event = { ...base, kind: `${base.kind}.${cut(payload.object_attributes?.action ?? 'update')}` }
  if (payload.changes) event.changed = Object.keys(payload.changes).slice(0, 100).map(cut)
  return { event, concern: noTarget(noMergeRequest) }
}

const noMergeRequest = 'It is about no merge request, and no rule is for it.'

/** Forty zeros stand for "no commit": a branch that is made or deleted (hosting-service.md §2.5). */
function commitOrNull(sha: string | undefined): string | null {
  // A missing commit does not prove a new branch: the history stays incomplete.
  if (sha === undefined || sha === '') return 'unknown'
  return /^0{40,64}$/.test(sha) ? null : sha
}

/** Undefined unless an id: ids begin at 1. */
function numbered(id: number | undefined): number | undefined {
  return id !== undefined && id > 0 ? id : undefined
}

function noTarget(reason: string): Concern {
  return { about: 'none', reason }
}

function cut(text: string): string {
  return text.slice(0, 60)
}
