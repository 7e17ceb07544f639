// What reading a payload returns: the event, and what it is about.
import type { MergeRequestName } from '../../../journal/types.ts'
import type { Event, StableFacts } from '../../../rules/types.ts'

/** What an event is about: a merge request, those of a branch, an issue, or none of them. */
export type Concern =
  | { about: 'merge request'; project: number; iid: number }
  /** `sha`: only those with this head. `isNew`: the branch was made by the push. */
  | { about: 'branch'; project: number; branch: string; sha?: string; isNew?: true }
  | { about: 'issue'; project: number; iid: number }
  | { about: 'none'; reason: string }

export interface ReadEvent {
  event: Event
  concern: Concern
  push?: { project: number; branch: string; from: string | null; to: string | null; defaultBranch?: string }
  /** Stable facts of its one merge request. */
  stable?: StableFacts
  /** Of its one merge request or issue. */
  name?: MergeRequestName
}

export function noTarget(reason: string): Concern {
  return { about: 'none', reason }
}
