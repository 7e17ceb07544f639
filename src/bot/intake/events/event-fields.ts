// What reading a payload returns: the event and what it is about; and its fields, with a limit for each stored text.
import type { Payload } from '../../../api/hooks.ts'
import type { MergeRequestName } from '../../../journal/types.ts'
import type { Actor, Event, MergeRequestOrigin } from '../../../rules/types.ts'

/** The most characters of each stored text. What is cut or left out never equals a real name. */
export const longest = {
  /** Kinds, actions, states, fields, times: cut. */
  word: 60,
  /** User names, labels and target branches: longer ones count as absent. */
  name: 255,
  /** Branches and tags: longer ones count as absent. */
  ref: 1_000,
  /** Longer ones count as absent: SHA-256 has 64 digits. */
  sha: 64,
  path: 2_000,
} as const

export function cut(text: string): string {
  return text.slice(0, longest.word)
}

/** The word of an action or a state; `otherwise` if the payload has none. */
export function wordOr(text: string | undefined, otherwise: string): string {
  return text === undefined || text.trim() === '' ? otherwise : cut(text)
}

/** The first valid one: ids begin at 1. */
export function firstId(...ids: readonly (number | undefined)[]): number | undefined {
  return ids.find((id) => id !== undefined && id > 0)
}

export function actorOf(payload: Payload): Actor {
  const id = payload.user?.id ?? payload.user_id
  const username = shorterThan(longest.name, payload.user?.username ?? payload.user_username)
  return { id, username }
}

export function shorterThan(most: number, text: string | undefined): string | undefined {
  return text === undefined || text.length > most ? undefined : text
}

/** Undefined unless the payload has both. */
export function nameOf({ title, url }: NonNullable<Payload['merge_request']> = {}): MergeRequestName | undefined {
  const [short, page] = [shorterThan(longest.name, title), shorterThan(longest.path, url)]
  return short === undefined || page === undefined ? undefined : { title: short, url: page }
}

/** Absent when the source branch is gone. */
export function headOf(sha: string | undefined): Pick<Event, 'head'> {
  return sha !== undefined && /^[0-9a-f]{40,64}$/.test(sha) ? { head: sha } : {}
}

/** Longer than any branch: counts as absent. */
export function targetOf(branch: string | undefined): Pick<Event, 'target'> {
  const target = shorterThan(longest.name, branch)
  return target === undefined || target === '' ? {} : { target }
}

/** A branch or tag. */
export function refOf(ref: string | undefined): Pick<Event, 'ref'> {
  const short = shorterThan(longest.ref, ref)
  return short === undefined ? {} : { ref: short }
}

export function changedIn({ changes }: Payload): Pick<Event, 'changed'> {
  return changes === undefined ? {} : { changed: Object.keys(changes).slice(0, 100).map(cut) }
}

/** Forty zeros stand for "no commit": a branch that is made or deleted. */
export function commitOrNull(sha: string | undefined): string | null {
  // A missing commit does not prove a new branch: the history stays incomplete.
  if (sha === undefined || sha === '' || sha.length > longest.sha) return 'unknown'
  return /^0{40,64}$/.test(sha) ? null : sha
}

/** Empty if the payload does not tell. */
export function refChangeOf({ before, after }: Payload): Pick<Event, 'refChange'> {
  const [from, to] = [commitOrNull(before), commitOrNull(after)]
  if (from === 'unknown' || to === 'unknown' || (from === null && to === null)) return {}
  return { refChange: from === null ? 'created' : to === null ? 'deleted' : 'updated' }
}

/** What an event is about in its project: a merge request, those of a branch, an issue, or none of them. */
export type Concern =
  | { about: 'merge request'; iid: number }
  | { about: 'branch'; branch: string }
  | { about: 'issue'; iid: number }
  | { about: 'none'; reason: string }

export interface ReadEvent {
  event: Event
  concern: Concern
  push?: { project: number; branch: string; from: string | null; to: string | null; defaultBranch?: string }
  /** Where its one merge request comes from. */
  origin?: MergeRequestOrigin
  /** The name of its one merge request or issue. */
  name?: MergeRequestName
}

export function noTarget(reason: string): Concern {
  return { about: 'none', reason }
}
