// What a merge queue says of one entry, for the rules and for people.
import { isSame, membersOf } from './draft.ts'
import type { EntryRef, MergeQueueRecord, RemovalReason } from './types.ts'

export interface EntryState {
  /** Its place among those that are tested, from 1; absent while it waits. */
  position?: number
  /** `at`: ISO 8601. `link`: the pipeline that failed. */
  removed?: { reason: RemovalReason; at: string; link?: string }
}

export function entryState({ builds, removals }: MergeQueueRecord, entry: EntryRef): EntryState {
  const removal = removals.find(({ member }) => isSame(member, entry))
  if (removal !== undefined) {
    const { reason, at, link } = removal
    return { removed: { reason, at: new Date(at).toISOString(), ...(link === undefined ? {} : { link }) } }
  }
  const place = membersOf(builds).findIndex((member) => isSame(member, entry))
  return place === -1 ? {} : { position: place + 1 }
}
