// Reads events that are about no merge request and no issue: rules for the project may wait for them.
import type { Payload } from '../../../api/hooks.ts'
import { unsupportedReason } from '../../../rules/language/events.ts'
import type { Event } from '../../../rules/types.ts'
import { changedIn, longest, refChangeOf, refOf, shorterThan, wordOr } from './event-fields.ts'

const noMergeRequest = 'It is about no merge request, and no rule is for it.'

/**
 * The event, and why it concerns no merge request. `base`: with the payload's own kind. Reads each kind; without an
 * action it is an update.
 */
export function readProjectEvent(payload: Payload, base: Event): { event: Event; reason: string } {
  const { object_attributes: attributes, action = attributes?.action } = payload
  const of = (kind: string, more: Partial<Event> = {}) => ({
    event: { ...base, kind, ...more },
    reason: noMergeRequest,
  })
  switch (base.kind) {
    case 'wiki_page':
      return of(`wiki_page.${wordOr(attributes?.action, 'update')}`, changedIn(payload))
    case 'milestone':
      return of(`milestone.${wordOr(action, 'update')}`)
    case 'release':
      return of(`release.${wordOr(action, 'update')}`, refOf(payload.tag))
    case 'deployment':
      return of(`deployment.${wordOr(payload.status, 'unknown')}`, refOf(payload.ref))
    case 'access_token':
      return of(`access_token.${payload.event_name === 'expiring_access_token' ? 'expiring' : 'unknown'}`)
    case 'tag_push':
      return of('tag_push', { ...refOf(/^refs\/tags\/(.+)$/s.exec(payload.ref ?? '')?.[1]), ...refChangeOf(payload) })
    default:
      // The user of a member event is the member, not who acted.
      return {
        event: { ...base, actor: {} },
        reason: unsupportedReason(base.kind) ?? `No rule is about ${base.kind} events.`,
      }
  }
}

/** The full path of the payload's project. */
export function pathIn({ project }: Payload): string | undefined {
  return shorterThan(longest.path, project?.path_with_namespace)
}
