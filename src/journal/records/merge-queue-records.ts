// Merge queues: one record for each target, and one entry for each merge request in a queue.
import type { MergeQueueRecord } from '../../merge-queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { MergeQueueEntry, MergeQueueRef } from '../record-types.ts'
import type { JournalStore } from '../stores/store.ts'
import type { Journal } from '../types.ts'
import { key, mergeRequestKey } from './keys.ts'
import type { Records } from './records.ts'
import type { RetentionPolicy } from './retention.ts'

/** More entries of one target are not read. */
const MOST_ENTRIES = 5_000
const MOST_QUEUES = 10_000

const entryKey = (mergeRequest: MergeRequestRef) => mergeRequestKey('merge queue entry', mergeRequest)
const recordKey = ({ project, target }: MergeQueueRef) => key('merge queue', project, target)
const entriesOf = ({ project, target }: MergeQueueRef) => key('merge queue entries', project, target)
const allQueues = key('merge queues')

type Methods =
  | 'mergeQueueEntry'
  | 'saveMergeQueueEntry'
  | 'removeMergeQueueEntry'
  | 'mergeQueueEntries'
  | 'mergeQueue'
  | 'changeMergeQueue'
  | 'mergeQueues'
  | 'mergeQueueNote'
  | 'saveMergeQueueNote'

export function mergeQueueRecords(
  store: JournalStore,
  records: Records,
  { marks, over }: Pick<RetentionPolicy, 'marks' | 'over'>,
): Pick<Journal, Methods> {
  const noteKey = (mergeRequest: MergeRequestRef) => mergeRequestKey('merge queue note', mergeRequest)
  return {
    mergeQueueEntry: (mergeRequest) => records.one<MergeQueueEntry>(entryKey(mergeRequest)),
    async saveMergeQueueEntry(mergeRequest, entry) {
      const { project, iid } = mergeRequest
      const before = await records.one<MergeQueueEntry>(entryKey(mergeRequest))
      const queue = { project, target: entry.target }
      const hasMoved = before !== undefined && before.target !== entry.target
      await store.write({
        put: [{ key: entryKey(mergeRequest), value: JSON.stringify(entry) }],
        index: [
          { name: entriesOf(queue), member: String(iid) },
          { name: allQueues, member: JSON.stringify([project, entry.target]) },
        ],
        ...(hasMoved
          ? { unindex: [{ name: entriesOf({ ...queue, target: before.target }), member: String(iid) }] }
          : {}),
      })
    },
    async removeMergeQueueEntry(mergeRequest) {
      const before = await records.one<MergeQueueEntry>(entryKey(mergeRequest))
      if (before === undefined) return
      const { project, iid } = mergeRequest
      await store.write({
        remove: [entryKey(mergeRequest)],
        unindex: [{ name: entriesOf({ project, target: before.target }), member: String(iid) }],
      })
    },
    async mergeQueueEntries({ project, target }) {
      const iids = await store.members(entriesOf({ project, target }), { limit: MOST_ENTRIES })
      const found = await records.all<MergeQueueEntry>(iids.map((iid) => entryKey({ project, iid: Number(iid) })))
      return found.filter((entry) => entry?.target === target) as MergeQueueEntry[]
    },
    mergeQueue: (queue) => records.readAndExtend<MergeQueueRecord>(recordKey(queue), marks),
    changeMergeQueue: (queue, to) => records.change<MergeQueueRecord>(recordKey(queue), to, marks),
    async mergeQueues() {
      const members = await store.members(allQueues, { limit: MOST_QUEUES })
      return members.map((member) => {
        const [project, target] = JSON.parse(member) as [number, string]
        return { project, target }
      })
    },
    mergeQueueNote: (mergeRequest) => records.one(noteKey(mergeRequest)),
    saveMergeQueueNote: (mergeRequest, note) => records.write(noteKey(mergeRequest), note, over),
  }
}
