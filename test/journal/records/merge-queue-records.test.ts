// The indices of merge queues: nothing of an entry stays in the index of a queue that it left.
import { expect, test } from 'vitest'
import { mergeQueueRecords } from '../../../src/journal/records/merge-queue-records.ts'
import { recordsIn } from '../../../src/journal/records/records.ts'
import { DEFAULT_RETENTION } from '../../../src/journal/records/retention.ts'
import type { JournalStore, Write } from '../../../src/journal/stores/store.ts'

test('an entry that moves to another target leaves the index of the first, which would grow for ever', async () => {
  const records = new Map<string, string>()
  const members = new Set<string>()
  const store = {
    read: async (keys: string[]) => keys.map((key) => records.get(key)),
    async write({ put = [], remove = [], index = [], unindex = [] }: Write) {
      for (const { key, value } of put) records.set(key, value)
      for (const key of remove) records.delete(key)
      for (const { name, member } of index) members.add(`${name} ${member}`)
      for (const { name, member } of unindex) members.delete(`${name} ${member}`)
    },
  } as unknown as JournalStore
  const queues = mergeQueueRecords(store, recordsIn(store), DEFAULT_RETENTION)
  const mergeRequest = { service: 's', project: 7, iid: 2 }
  const entry = { iid: 2, queue: 'main', head: 'a', since: 1, priority: 0, frozen: false }
  for (const target of ['main', 'release']) await queues.saveMergeQueueEntry(mergeRequest, { ...entry, target })
  const indexed = () => [...members].filter((each) => each.includes('entries')).map((each) => each.split('"').at(-2))
  expect(indexed()).toEqual(['release'])
  await queues.removeMergeQueueEntry(mergeRequest)
  expect([indexed(), records.size]).toEqual([[], 0])
})
