// What reading a payload returns: the event, and what it is about.
import type { MergeRequestName } from '../../../journal/types.ts'
import type { Event, MergeRequestOrigin } from '../../../rules/types.ts'

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
