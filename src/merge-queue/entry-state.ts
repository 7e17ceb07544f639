// The state of one entry of a merge queue, for the rules and for people.
import { isSame } from './mutable-plan.ts'
import { queueProgress } from './progress.ts'
import { progressText } from './progress-text.ts'
import type { Entry, EntryRef, MergeQueueRecord } from './types.ts'

/**
 * `progress`: its position and what it waits for, in words; absent if it landed or is not planned yet. Of `removed`,
 * `at` is in ISO 8601, and `link` leads to the job that failed, or its pipeline.
 */
export function entryState(
  record: MergeQueueRecord,
  entries: readonly Entry[],
  { entry, target, now }: { entry: EntryRef; target: string; now: number },
) {
  const removal = record.removals.find(({ member }) => isSame(member, entry))
  if (removal !== undefined) {
    const { reason, at, words } = removal
    const link = removal.job ?? removal.link
    return { removed: { reason, at: new Date(at).toISOString(), link, words }, progress: undefined }
  }
  const found = queueProgress(record, entries, now).find((each) => isSame(each.entry, entry))
  return found === undefined ? {} : { progress: progressText(found.progress, target, now) }
}
