// Turns a payload into an event and finds what it is about.
import type { Payload } from '../../../api/hooks.ts'
import type { Event } from '../../../rules/types.ts'
import {
  actorOf,
  changedIn,
  commitOrNull,
  cut,
  firstId,
  headOf,
  longest,
  nameOf,
  noTarget,
  type ReadEvent,
  refChangeOf,
  refOf,
  shorterThan,
  targetOf,
  wordOr,
} from './event-fields.ts'
import { onIssue, readIssue } from './read-issue-event.ts'
import { readProjectEvent } from './read-project-event.ts'

/** Never throws, whatever the payload lacks. No text of the event is longer than `longest` says. */
export function readEvent(payload: Payload, at: string): ReadEvent {
  const kind = wordOr(payload.object_kind ?? payload.event_name, 'unknown')
  const project = firstId(payload.project?.id, payload.project_id)
  const base: Event = { kind, actor: actorOf(payload), at, project }
  switch (kind) {
    case 'merge_request':
      return readMergeRequest(payload, base)
    case 'pipeline':
      return readPipeline(payload, base)
    case 'push':
      return readPush(payload, base)
    case 'note':
      return readNote(payload, base)
    case 'emoji':
      return readEmoji(payload, base)
    case 'issue':
    // Incidents, tasks and others, since 17.2.
    case 'work_item':
      return readIssue(payload, base)
    default: {
      const { event, reason } = readProjectEvent(payload, base)
      return { event, concern: noTarget(reason) }
    }
  }
}

function readMergeRequest(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const kind = `merge_request.${actionOf(attributes)}`
  const event: Event = { ...base, kind, ...changedIn(payload) }
  const head = shorterThan(longest.sha, attributes?.last_commit?.id)
  const from = shorterThan(longest.sha, attributes?.oldrev)
  if (from !== undefined && head !== undefined) event.pushed = { from, to: head }
  return onMergeRequest(attributes, event, 'The merge request’s project or iid is missing.')
}

/**
 * The approvals that a push resets are no person's act: its actor is who pushed.
 * `system` says so for each kind of reset; `system_action` only says which.
 */
function actionOf(attributes: Payload['object_attributes']): string {
  // System hooks leave out the action on some updates.
  const action = wordOr(attributes?.action, 'update')
  const isReset = attributes?.system === true && (action === 'unapproved' || action === 'unapproval')
  return isReset ? 'approvals_reset' : action
}

function saidOf(mergeRequest: Payload['merge_request']): Pick<ReadEvent, 'origin' | 'name'> {
  const project = firstId(mergeRequest?.source_project_id)
  const { ref: branch } = refOf(mergeRequest?.source_branch)
  const origin = project === undefined || branch === undefined ? undefined : { project, branch }
  return { origin, name: nameOf(mergeRequest) }
}

function readPipeline(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const { ref } = refOf(attributes?.ref)
  const sha = shorterThan(longest.sha, attributes?.sha)
  const status = wordOr(attributes?.status, 'unknown')
  const link = payload.merge_request
  // A fork's merge request runs its pipeline in the fork, but belongs to the target project.
  const project = firstId(link?.target_project_id, base.project)
  const event: Event = { ...base, project, kind: `pipeline.${status}`, ref }
  if (attributes?.id !== undefined && sha !== undefined) {
    const source = typeof attributes.source === 'string' ? { source: cut(attributes.source) } : {}
    event.pipeline = { id: attributes.id, sha, status, ...source }
  }
  if (project === undefined) return { event, concern: noTarget('The pipeline’s project is missing.') }
  const iid = firstId(link?.iid)
  if (iid !== undefined) return { event: { ...event, iid }, concern: { about: 'merge request', iid }, ...saidOf(link) }
  if (attributes?.tag === true || !attributes?.ref)
    return { event, concern: noTarget('The pipeline is not one of a branch.') }
  if (ref === undefined) return { event, concern: noTarget(tooLong) }
  return { event, concern: { about: 'branch', branch: ref } }
}

/** Without an action it is a new note. Its commands: rules/language/commands. */
function readNote(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const event: Event = { ...base, kind: `note.${wordOr(attributes?.action, 'create')}` }
  const note = firstId(attributes?.id)
  if (note !== undefined)
    event.note = { id: note, mentions: attributes?.note === undefined || /^[ \t]*@\S/m.test(attributes.note) }
  const isByPerson = attributes?.system !== true
  if (isByPerson && attributes?.noteable_type === 'Issue') return onIssue(payload, event, payload.issue)
  if (isByPerson && attributes?.noteable_type === 'MergeRequest')
    return onMergeRequest(payload.merge_request, event, 'The note’s merge request is missing.')
  return { event, concern: noTarget('The note is not one on a merge request or an issue by a person.') }
}

/** Given or taken back: on a merge request or an issue itself it changes its votes. */
function readEmoji(payload: Payload, base: Event): ReadEvent {
  const attributes = payload.object_attributes
  const event: Event = { ...base, kind: `emoji.${wordOr(attributes?.action, 'award')}` }
  if (attributes?.awardable_type === 'Issue') return onIssue(payload, event, payload.issue)
  if (attributes?.awardable_type === 'MergeRequest')
    return onMergeRequest(payload.merge_request, event, 'The emoji’s merge request is missing.')
  return { event, concern: noTarget('The emoji is not one on a merge request or an issue itself.') }
}

function onMergeRequest(link: Payload['merge_request'], event: Event, missing: string): ReadEvent {
  const project = firstId(link?.target_project_id, event.project)
  const iid = firstId(link?.iid)
  if (project === undefined || iid === undefined) return { event, concern: noTarget(missing) }
  return {
    event: { ...event, ...headOf(link?.last_commit?.id), ...targetOf(link?.target_branch), project, iid },
    concern: { about: 'merge request', iid },
    ...saidOf(link),
  }
}

function readPush(payload: Payload, base: Event): ReadEvent {
  const named = /^refs\/heads\/(.+)$/s.exec(payload.ref ?? '')?.[1]
  if (named === undefined || base.project === undefined)
    return { event: base, concern: noTarget('The push is not one to a branch of a known project.') }
  const { ref: branch } = refOf(named)
  if (branch === undefined) return { event: base, concern: noTarget(tooLong) }
  const from = commitOrNull(payload.before)
  const to = payload.after === undefined || payload.after === '' ? null : commitOrNull(payload.after)
  const event: Event = {
    ...base,
    ref: branch,
    ...refChangeOf(payload),
    ...(from !== null && to !== null ? { pushed: { from, to } } : {}),
  }
  const defaultBranch = shorterThan(longest.ref, payload.project?.default_branch)
  const push = { project: base.project, branch, from, to, defaultBranch }
  if (to === null) return { event, push, concern: noTarget('The branch was deleted.') }
  return { event, push, concern: { about: 'branch', branch } }
}

const tooLong = 'The name of its branch is longer than any branch.'
