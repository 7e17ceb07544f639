// Values as services send them: lists, users, times, and who set a label.
import type { Tolerant } from '../../../api/endpoint.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { BodyOf } from './source.ts'

/** The items of a list, or undefined if the service sent no list. */
export function items<T>(list: readonly T[] | undefined): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((each: T | null | undefined) => each ?? undefined) : undefined
}

/** The user with exactly this name; the service may also list users with similar names. */
export function userIn(body: unknown, username: string) {
  for (const each of Array.isArray(body) ? (body as unknown[]) : []) {
    if (!isMap(each) || typeof each.username !== 'string' || typeof each.id !== 'number') continue
    if (each.username.toLowerCase() !== username.toLowerCase()) continue
    return { id: each.id, name: each.username, isActive: each.state === 'active' }
  }
  return undefined
}

/** The id of that user. */
export const userNamed = (body: unknown, username: string): number | undefined => userIn(body, username)?.id

/** Epoch milliseconds of `2017-09-15T16:50:55.123Z`, `2017-09-15 16:50:55 UTC` or with an offset; else undefined. */
export function parseTime(text: unknown): number | undefined {
  if (
    typeof text !== 'string' ||
    !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})? ?(?:Z|UTC|[+-]\d{2}:?\d{2})$/.test(text)
  )
    return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Seconds since then, to the millisecond; negative if the service's clock is ahead. */
export function since(text: unknown, now: string): number | undefined {
  const [then, at] = [parseTime(text), parseTime(now)]
  return then === undefined || at === undefined ? undefined : (at - then) / 1000
}

/** A label event as a service may send it: a deleted label or user is null. */
export type ShownLabelEvent = Tolerant<BodyOf<'mergeRequests.labelEvents.list'>[number]>

/**
 * Who added the label last; undefined if the events, oldest first, do not say. The events show the present names of
 * labels. For a renamed label, this is the user who set it under its old name, and the service does not tell.
 */
export function lastSetter(body: unknown, label: string): { id: number; name: string } | undefined {
  const events = items(body as readonly ShownLabelEvent[])
  const user = events?.findLast((each) => each?.action === 'add' && each.label?.name === label)?.user
  if (!Number.isSafeInteger(user?.id) || Number(user?.id) <= 0) return undefined
  return { id: Number(user?.id), name: typeof user?.username === 'string' ? user.username : `user ${String(user?.id)}` }
}
