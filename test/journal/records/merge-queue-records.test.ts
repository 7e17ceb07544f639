// The entries of a merge queue are those of its target branch: an entry that moves stays in no queue that it left.
import { expect, test } from 'vitest'
import { mergeQueueRecords } from '../../../src/journal/records/merge-queue-records.ts'
import { recordsIn } from '../../../src/journal/records/records.ts'
import { DEFAULT_RETENTION } from '../../../src/journal/records/retention.ts'
import type { JournalStore, Write } from '../../../src/journal/stores/store.ts'

const mergeRequest = { project: 7, iid: 2 }
const entry = { iid: 2, queue: 'main', head: 'a', since: 1, priority: 0, frozen: false }

function makeQueues() {
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
    async members(name: string) {
      return [...members].flatMap((each) => (each.startsWith(`${name} `) ? [each.slice(name.length + 1)] : []))
    },
  } as unknown as JournalStore
  return { ...mergeQueueRecords(store, recordsIn(store), DEFAULT_RETENTION), store, records, members }
}

test('an entry that moves to another target leaves the index of the first, which would grow for ever', async () => {
  const { records, members, ...queues } = makeQueues()
  for (const target of ['main', 'release']) await queues.saveMergeQueueEntry(mergeRequest, { ...entry, target })
  const indexed = () => [...members].filter((each) => each.includes('entries')).map((each) => each.split('"').at(-2))
  expect(indexed()).toEqual(['release'])
  await queues.removeMergeQueueEntry(mergeRequest)
  expect([indexed(), records.size]).toEqual([[], 0])
})

test('an entry that moves to another target while the entries are read is none of the first', async () => {
  const { store, ...queues } = makeQueues()
  const entriesOf = (target: string) => queues.mergeQueueEntries({ project: 7, target })
  await queues.saveMergeQueueEntry(mergeRequest, { ...entry, target: 'main' })
  expect(await entriesOf('main')).toHaveLength(1)
  const { members } = store
  store.members = async (...asked) => {
    const found = await members(...asked)
    await queues.saveMergeQueueEntry(mergeRequest, { ...entry, target: 'release' })
    return found
  }
  expect(await entriesOf('main')).toEqual([])
  expect(await entriesOf('release')).toHaveLength(1)
})
