// How many finished jobs a queue keeps.
import type { QueueBackend } from '../../src/queue/bullmq/backend.ts'
import { bullmqQueues } from '../../src/queue/bullmq/queue.ts'
import { removeOldest } from '../../src/queue/bullmq/worker.ts'
import { openEmbedded } from '../../src/queue/postgres/embedded-backend.ts'
import type { Queues } from '../../src/queue/types.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { prepareDatabase } from '../prepared-database.ts'

const directory = ownFolder().folder
let store: QueueBackend
let queues: Queues
beforeAll(async () => {
  store = await openEmbedded({
    directory: await prepareDatabase(directory),
    log: () => undefined,
    onProgress: () => undefined,
  })
  queues = bullmqQueues(store)
})
afterAll(() => queues?.close())

test('of the finished jobs of a queue the oldest are removed, those of other queues and waiting ones are not', async () => {
  for (const name of ['kept', 'other']) {
    const queue = queues.queue<number>(name)
    for (let n = 1; n <= 6; n += 1) await queue.add({ id: `job-${n}`, data: n })
    const worker = queues.work<number>(
      name,
      async ({ data }) => (data % 2 === 0 ? { outcome: 'done' } : { outcome: 'failed', reason: 'odd' }),
      { concurrency: 1, attempts: 1, backoffMs: 1, onError: () => undefined },
    )
    await queue.settled()
    await worker.stop(1_000)
    await queue.add({ id: 'waits', data: 0 })
  }

  await removeOldest(store.queue('kept'), { completed: 2, failed: 1 })

  const ids = async (name: string) =>
    (await queues.queue(name).list(['completed', 'failed', 'waiting', 'prioritized'], 0, 20)).map(({ id }) => id).sort()
  expect(await ids('kept')).toEqual(['job-4', 'job-5', 'job-6', 'waits'])
  expect(await ids('other')).toHaveLength(7)
})
