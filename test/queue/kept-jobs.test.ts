// How many ended jobs the embedded queue keeps: BullMQ's own limit would look at all of them whenever one more ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bullmqQueue } from '../../src/queue/bullmq-queue.ts'
import type { BullStore } from '../../src/queue/bullmq-store.ts'
import { openEmbedded } from '../../src/queue/embedded.ts'
import type { Queue } from '../../src/queue/types.ts'
import { prepareDatabase } from '../prepared-database.ts'

const directory = mkdtempSync(join(tmpdir(), 'bellhop-kept-'))
let store: BullStore
let queue: Queue
beforeAll(async () => {
  store = await openEmbedded({ directory: await prepareDatabase(directory), log: () => undefined, onProgress: () => undefined })
  queue = bullmqQueue(store)
})
afterAll(async () => {
  await queue?.close()
  rmSync(directory, { recursive: true, force: true })
})

test('of the ended jobs of a lane the oldest are dropped; those of other lanes, and what waits, are not', async () => {
  for (const name of ['kept', 'other']) {
    const lane = queue.lane<number>(name)
    for (let n = 1; n <= 6; n += 1) await lane.add({ id: `job-${n}`, data: n })
    const worker = queue.work<number>(
      name,
      async ({ data }) => (data % 2 === 0 ? { outcome: 'done' } : { outcome: 'failed', reason: 'odd' }),
      { concurrency: 1, attempts: 1, backoffMs: 1, onError: () => undefined },
    )
    await lane.settled()
    await worker.stop(1_000)
    await lane.add({ id: 'waits', data: 0 })
  }

  await store.dropOldest?.('kept', { completed: 2, failed: 1 })

  const ids = async (name: string) =>
    (await queue.lane(name).list(['completed', 'failed', 'waiting', 'prioritized'], 0, 20)).map(({ id }) => id).sort()
  expect(await ids('kept')).toEqual(['job-4', 'job-5', 'job-6', 'waits'])
  expect(await ids('other')).toHaveLength(7)
})
