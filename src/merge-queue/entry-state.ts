// The state of one entry of a merge queue, for the rules and for people.
import { isSame } from './mutable-plan.ts'
import { queueProgress } from './progress.ts'
import { progressText } from './progress-text.ts'
import type { Entry, EntryRef, MergeQueueRecord, RemovalReason } from './types.ts'

interface EntryState {
  /** Its position and what it waits for, in words; absent if it landed or is not planned yet. */
  progress?: string
  /** `at`: ISO 8601. `link`: the job that failed, or its pipeline. */
  removed?: { reason: RemovalReason; at: string; link?: string }
}

export function entryState(
  record: MergeQueueRecord,
  entries: readonly Entry[],
  { entry, target, now }: { entry: EntryRef; target: string; now: number },
): EntryState {
  const removal = record.removals.find(({ member }) => isSame(member, entry))
  if (removal !== undefined) {
    const { reason, at } = removal
    const link = removal.job ?? removal.link
    return { removed: { reason, at: new Date(at).toISOString(), link } }
  }
  const found = queueProgress(record, entries, now).find((each) => isSame(each.entry, entry))
  return found === undefined ? {} : { progress: progressText(found.progress, target, now) }
}
