// Merge queues in the admin API, on a real journal.
import type { MergeQueueEntry, MergeQueueRef } from '../../../../src/journal/types.ts'
import type { MergeQueueRecord } from '../../../../src/merge-queue/types.ts'
import { useStores } from '../../../bot/stores.ts'
import { jsonPost, useAdmin } from '../../serve-admin.ts'

const stores = useStores({ own: true })
const woken: unknown[] = []
const counted: unknown[] = []
const admin = useAdmin(() => ({
  journal: stores.journal,
  now: () => 100_000,
  wakeMergeQueue: async (...given) => void woken.push(given),
  countMergeQueue: (what) => void counted.push(what),
}))
const post = (path: string, body: object = {}, token?: string) => admin.ask(path, jsonPost(body, token))
const head = (iid: number) => `h${iid}`
const member = (iid: number) => ({ iid, head: head(iid) })
const at = (ms: number) => new Date(ms).toISOString()

const entry = (target: string, iid: number, given: Partial<MergeQueueEntry> = {}): MergeQueueEntry => ({
  ...{ ...member(iid), queue: 'main', target, since: iid * 1_000, priority: 0, frozen: false },
  ...given,
})
const landing = (iid: number) => ({
  ...{ since: 9_000, by: 'accept' as const, members: [member(iid)] },
  ...{ from: { commit: 'c0', tree: 't0' }, commit: `c${iid}`, tree: `t${iid}` },
})
const empty: MergeQueueRecord = { window: 2, builds: [], conflicts: [], removals: [], recent: [] }

/** A queue with these entries; with a record, one that was planned. */
async function queueOf(project: number, target: string, entries: MergeQueueEntry[], record?: MergeQueueRecord) {
  for (const each of entries)
    await stores.journal.mergeQueues.saveEntry({ project, iid: each.iid }, { ...each, target })
  const queue: MergeQueueRef = { project, target }
  if (record !== undefined) await stores.journal.mergeQueues.change(queue, () => record)
  return { queue, path: `/merge-queues/${project}/${encodeURIComponent(target)}` }
}

describe('a merge queue', () => {
  test('is shown with its builds, waiting and removed entries, and last landings', async () => {
    const target = 'release/1.0'
    const { path } = await queueOf(
      7,
      target,
      [
        ...[1, 2, 5].map((iid) => entry(target, iid)),
        entry(target, 3, { frozen: true }),
        ...[entry(target, 4, { priority: 50 }), entry(target, 6)],
      ],
      {
        ...{ ...empty, paused: { reason: 'no_pipeline', since: 8_000 }, first: [member(5)] },
        builds: [
          {
            ...{ members: [member(1)], base: { commit: 'c0', tree: 't0' }, commit: 'c1', tree: 't1' },
            attempts: [
              { number: 1, commit: 'c1', since: 2_000, failed: 'pipeline_failed' },
              { number: 3, commit: 'c3', since: 3_000 },
            ],
          },
          { members: [member(2)], attempts: [{ number: 2 }] },
        ],
        conflicts: [{ member: member(4), others: [member(2), member(8)] }],
        removals: [{ member: member(6), reason: 'pipeline_failed', attempt: 0, at: 7_000, link: 'https://git/p/1' }],
        recent: [{ ...landing(9), at: 9_500 }],
      },
    )
    const ref = (iid: number) => ({ project: 7, ...member(iid) })
    const waits = (iid: number, given: object) => ({
      ...{ ...ref(iid), since: at(iid * 1_000), priority: 0, frozen: false, first: false, conflicts: [], ...given },
    })
    expect(await admin.ask(path)).toEqual({
      status: 200,
      body: {
        freeze: null,
        ...{ project: 7, target, name: 'main', window: 2, lastLanding: at(9_500), landing: null },
        removals: [at(7_000)],
        paused: { reason: 'no_pipeline', text: expect.stringContaining('no pipeline'), since: at(8_000) },
        entries: { testing: 2, waiting: 2, frozen: 1, removed: 1 },
        builds: [
          {
            ...{ state: 'testing', members: [ref(1)], base: 'c0', commit: 'c1' },
            attempts: [
              { number: 1, state: 'pipeline_failed', commit: 'c1', since: at(2_000) },
              { number: 3, state: 'testing', commit: 'c3', since: at(3_000) },
            ],
          },
          { state: 'preparing', members: [ref(2)], attempts: [{ number: 2, state: 'preparing' }] },
        ],
        waiting: [
          waits(5, { position: 3, first: true, waitsFor: 'its turn: an operator moved it to the front' }),
          waits(3, { position: 4, frozen: true, waitsFor: 'the end of a freeze' }),
          waits(4, { position: 5, priority: 50, conflicts: [2], waitsFor: '!2, which it conflicts with' }),
        ],
        removed: [
          {
            ...{ ...ref(6), reason: 'pipeline_failed', at: at(7_000), link: 'https://git/p/1' },
            text: 'its pipeline on top of the merge requests before it failed',
          },
        ],
        landed: [{ members: [ref(9)], since: at(9_000), at: at(9_500), commit: 'c9' }],
      },
    })
  })

  test('says which build is landing, and which failed behind others', async () => {
    const built = (iid: number, failed?: 'pipeline_failed') => ({
      ...{ members: [member(iid)], commit: `c${iid}`, tree: `t${iid}` },
      attempts: [{ number: iid, commit: `c${iid}`, since: 1, ...(failed === undefined ? {} : { failed }) }],
    })
    const { path } = await queueOf(7, 'landing', [], {
      ...{ ...empty, landing: landing(1), builds: [built(1), built(2, 'pipeline_failed'), built(3)] },
    })
    expect((await admin.ask(path)).body).toMatchObject({
      landing: { members: [{ iid: 1 }], since: at(9_000) },
      builds: [{ state: 'landing' }, { state: 'failed' }, { state: 'testing' }],
    })
  })

  test.each(['', '/pause', '/resume', '/remove', '/front'])('that does not exist is 404: %s', async (verb) => {
    const path = `/merge-queues/404/main${verb}`
    expect(
      (await (verb === '' ? admin.ask(path) : post(path, /remove|front/.test(verb) ? { iid: 1 } : {}))).status,
    ).toBe(404)
    expect(await stores.journal.mergeQueues.find({ project: 404, target: 'main' })).toBeUndefined()
  })
})

test('merge queues are listed by project and target, page by page', async () => {
  await queueOf(21, 'main', [entry('main', 1)], { ...empty, paused: { reason: 'by_operator', since: 5_000 } })
  await queueOf(21, 'dev', [entry('dev', 2)])
  await queueOf(22, 'main', [])
  const page = async (query: string) => (await admin.ask(`/merge-queues?limit=1&project=21${query}`)).body
  expect([await page(''), await page('&after=1')]).toEqual([
    { items: [expect.objectContaining({ project: 21, target: 'dev', window: 1, builds: 0 })], next: '1' },
    {
      items: [
        {
          ...{ project: 21, target: 'main', name: 'main', window: 2, builds: 0, removals: [] },
          paused: { reason: 'by_operator', text: 'an operator paused it', since: at(5_000) },
          entries: { testing: 0, waiting: 1, frozen: 0, removed: 0 },
        },
      ],
    },
  ])
  expect((await admin.ask('/merge-queues?project=22')).body).toEqual({ items: [] })
})

describe('an operator', () => {
  const pausedOf = async (queue: MergeQueueRef) => (await stores.journal.mergeQueues.find(queue))?.paused

  test('pauses and resumes a queue, also one that was never planned', async () => {
    const { queue, path } = await queueOf(31, 'a/b', [entry('a/b', 1)])
    woken.length = 0
    expect(await post(`${path}/pause`, { why: 'a freeze' })).toEqual({ status: 202, body: { done: true, project: 31 } })
    expect(await pausedOf(queue)).toEqual({ reason: 'by_operator', since: 100_000 })
    expect((await post(`${path}/resume`)).status).toBe(202)
    expect(await pausedOf(queue)).toBeUndefined()
    expect(woken).toEqual([
      [queue, undefined],
      [queue, undefined],
    ])
    const { items } = (await admin.ask(`/audit?limit=200`)).body as { items: { why?: string }[] }
    expect(items.find(({ why }) => why === 'a freeze')).toMatchObject({
      ...{ by: 'admin', operation: 'pause_merge_queue', status: 202 },
      to: { project: '31', target: 'a/b' },
    })
  })

  test('removes an entry for its present head and counts that once, and moves one to the front', async () => {
    const { queue, path } = await queueOf(32, 'main', [entry('main', 1), entry('main', 2)], empty)
    woken.length = 0
    expect((await post(`${path}/remove`, { iid: 1 })).status).toBe(202)
    expect((await post(`${path}/front`, { iid: 2 })).status).toBe(202)
    expect(await stores.journal.mergeQueues.find(queue)).toEqual({
      ...{ ...empty, first: [member(2)] },
      removals: [{ member: member(1), reason: 'by_operator', at: 100_000 }],
    })
    expect(woken).toEqual([
      [queue, undefined],
      [queue, 2],
    ])
    expect((await post(`${path}/remove`, { iid: 1 })).status).toBe(202)
    expect((await post(`${path}/remove`, { iid: 3 })).status).toBe(404)
    expect((await post(`${path}/remove`)).status).toBe(400)
    expect(counted).toEqual([{ is: 'removed', reason: 'by_operator' }])
  })
})
