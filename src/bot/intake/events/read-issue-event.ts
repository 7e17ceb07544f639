// Reads events of issues, and of notes and emojis on them.
import type { Payload } from '../../../api/hooks.ts'
import { issueRef } from '../../../rules/facts/definition/subject-ref.ts'
import type { Event } from '../../../rules/types.ts'
import { issueName } from '../../reporting/names.ts'
import { changedIn, firstId, longest, noTarget, type ReadEvent, shorterThan, wordOr } from './event-fields.ts'

/** Issues, incidents, tasks and others; epics are in no project. Without an action it is an update. */
export function readIssue(payload: Payload, base: Event): ReadEvent {
  const { object_attributes: attributes } = payload
  const kind = `issue.${wordOr(attributes?.action, 'update')}`
  return onIssue(payload, { ...base, kind, ...changedIn(payload) }, attributes)
}

/** The event with the issue that it is about; `base` is the event so far. */
export function onIssue(payload: Payload, base: Event, issue: Payload['issue']): ReadEvent {
  const iid = firstId(issue?.iid)
  const { project } = base
  const name = nameOf(payload, issue)
  if (iid === undefined) return { event: base, concern: noTarget('The issue’s number is missing.') }
  if (project === undefined) return { event: base, concern: noTarget('It names no project: an epic is in none.') }
  const event = { ...base, iid: issueRef(project, iid).iid }
  return { event, concern: { about: 'issue', iid }, name }
}

/**
 * Whether only some members may read its texts: those of a confidential issue, or of an internal note. Fails closed: an
 * issue that does not say is confidential.
 */
export function isConfidential({ object_kind, event_type, object_attributes: attributes, issue }: Payload): boolean {
  if (event_type?.startsWith('confidential_') === true || attributes?.confidential === true) return true
  if (object_kind === 'issue' || object_kind === 'work_item') return attributes?.confidential !== false
  const isOnIssue = issue !== undefined || [attributes?.noteable_type, attributes?.awardable_type].includes('Issue')
  return isOnIssue && issue?.confidential !== false
}

function nameOf(payload: Payload, issue: Payload['issue'] = {}): ReadEvent['name'] {
  const own = { title: shorterThan(longest.name, issue.title), url: shorterThan(longest.path, issue.url) }
  // An internal note says nothing of its issue.
  const confidential = issue === payload.object_attributes ? isConfidential(payload) : issue.confidential
  return issueName({ ...own, confidential })
}
