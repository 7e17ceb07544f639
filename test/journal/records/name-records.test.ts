// Names: the address of a merge request comes from a payload, so that only pages of its own project are linked.
import { expect, test } from 'vitest'
import { nameRecords, putMergeRequestName, putProjectName } from '../../../src/journal/records/name-records.ts'
import { recordsIn } from '../../../src/journal/records/records.ts'
import type { JournalStore } from '../../../src/journal/stores/store.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'

const page = 'https://code.example/hotel/app'
const ref = { project: 7, iid: 2 }

async function nameOf(url: string, projectUrl = page) {
  const puts = [
    ...putProjectName(7, { path: 'hotel/app', url: projectUrl }, 1_000),
    ...putMergeRequestName(ref, { title: 'Add a door', url }, 1_000),
  ]
  const records = new Map(puts.map(({ key, value }) => [key, value]))
  const store = { read: async (keys: string[]) => keys.map((key) => records.get(key)) } as unknown as JournalStore
  return (await nameRecords(store, recordsIn(store)).names([ref]))[0]
}

test('the page of a merge request is linked where it is one of its project', async () => {
  const url = `${page}/-/merge_requests/2`
  expect(await nameOf(url)).toEqual({ path: 'hotel/app', title: 'Add a door', url })
})

test.each([
  ['of another project whose name begins the same', `${page}-2/-/merge_requests/2`, page],
  ['of a host whose name begins the same', 'https://code.example.evil.example/x', 'https://code.example'],
  ['of another host', 'https://evil.example/hotel/app/-/merge_requests/2', page],
  ['that is a script', 'javascript:alert(1)/-/merge_requests/2', 'javascript:alert(1)'],
])('a page %s is not linked', async (_what, url, projectUrl) => {
  expect(await nameOf(url, projectUrl)).toEqual({ path: 'hotel/app', title: 'Add a door' })
})

test('an issue and the merge request of its number have names of their own', async () => {
  const put = (of: MergeRequestRef, title: string, path: string) =>
    putMergeRequestName(of, { title, url: `${page}/-/${path}` }, 1_000)
  const issue = issueRef(7, 2)
  const puts = [
    ...putProjectName(7, { path: 'hotel/app', url: page }, 1_000),
    ...put(ref, 'Add a door', 'merge_requests/2'),
    ...put(issue, 'The door is shut', 'issues/2'),
  ]
  const records = new Map(puts.map(({ key, value }) => [key, value]))
  const store = { read: async (keys: string[]) => keys.map((key) => records.get(key)) } as unknown as JournalStore
  expect(await nameRecords(store, recordsIn(store)).names([issue, ref, issueRef(7, 3)])).toEqual([
    { path: 'hotel/app', title: 'The door is shut', url: `${page}/-/issues/2` },
    { path: 'hotel/app', title: 'Add a door', url: `${page}/-/merge_requests/2` },
    { path: 'hotel/app' },
  ])
})

test('a name is stored only for a merge request that is known', () => {
  const name = { title: 'Add a door', url: `${page}/-/merge_requests/2` }
  expect(putMergeRequestName({ ...ref, iid: 0 }, name, 1)).toEqual([])
  expect(putMergeRequestName({ iid: 2 }, name, 1)).toEqual([])
  expect(putMergeRequestName(ref, undefined, 1)).toEqual([])
})
