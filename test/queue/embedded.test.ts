// The queue suite on the embedded backend, queue URLs that are refused, and what an idle worker asks.
import { QueueDirectoryInUse, QueueMisconfigured } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { eventually } from '../eventually.ts'
import { prepareQueue } from '../prepared-database.ts'
import { queueSuite } from '../suites/queue/queue.suite.ts'
import { gate } from '../suites/queue/test-queues.ts'

const directory = ownFolder().folder
let queues: Queues

beforeAll(async () => {
  queues = await openQueues({ url: await prepareQueue(directory) })
})

afterAll(() => queues.close())

describe('embedded', () => {
  queueSuite(() => queues)

  test('a directory in use is refused, with its holder and what to do', async () => {
    const refused = openQueues({ url: `embedded:${directory}/` })
    await expect(refused).rejects.toThrow(QueueDirectoryInUse)
    await expect(refused).rejects.toThrow(
      `The queue directory ${directory} is in use by process ${process.pid}. Stop that process, or`,
    )
  })

  test('a URL without a known backend is refused and not shown', async () => {
    const refused = openQueues({ url: 'secret-password' })
    await expect(refused).rejects.toThrow(QueueMisconfigured)
    await expect(refused).rejects.not.toThrow(/secret/)
    await expect(openQueues({ url: 'embedded:' })).rejects.toThrow(QueueMisconfigured)
  })
})

afterEach(() => {
  vi.useRealTimers()
})

test('an idle worker looks for jobs once a minute, and when one is added or due', async () => {
  const queues = await openQueues({ url: await prepareQueue(ownFolder().folder) })
  if (queues.store.kind !== 'postgres') throw new Error('another store')
  const query = vi.spyOn(queues.store.pool, 'query')
  const asked = (what: string) => query.mock.calls.filter(([text]) => text.includes(what)).length
  const looks = () => asked('Claim the next ready job')
  // The last that a worker asks before it waits.
  const waits = () => asked('The timestamp of the next delayed job')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const queue = queues.queue<string>('idle')
  const ran: string[] = []
  const worker = queues.work<string>(
    'idle',
    async ({ data }) => {
      ran.push(data)
      return { outcome: 'done' }
    },
    { concurrency: 2, backoffMs: 5, onError: () => undefined },
  )
  await eventually(() => expect(waits()).toBe(1))
  const first = looks()
  await vi.advanceTimersByTimeAsync(50_000)
  expect([looks(), waits()]).toEqual([first, 1])
  await vi.advanceTimersByTimeAsync(11_000)
  await eventually(() => expect(waits()).toBe(2))
  await queue.add({ data: 'added' })
  await eventually(() => expect(ran).toEqual(['added']))
  await queue.add({ data: 'delayed', delayMs: 20_000 })
  await eventually(async () => expect((await queue.counts()).delayed).toBe(1))
  await vi.advanceTimersByTimeAsync(21_000)
  await eventually(() => expect(ran).toEqual(['added', 'delayed']))
  vi.useRealTimers()
  await worker.stop(2_000)
  await queues.close()
})

test('a job that a worker gets after the limit of its stop is given back', async () => {
  const queues = await openQueues({ url: await prepareQueue(ownFolder().folder) })
  if (queues.store.kind !== 'postgres') throw new Error('another store')
  const { pool } = queues.store
  const [taken, answers] = [gate(), gate()]
  const query: typeof pool.query = pool.query.bind(pool)
  vi.spyOn(pool, 'query').mockImplementation(async (text, values) => {
    const result = await query<never>(text, values)
    if (!text.includes('Claim the next ready job') || result.rows.length === 0) return result
    taken.open()
    await answers.opened
    return result
  })
  const queue = queues.queue<string>('late')
  const never = () => new Promise<never>(() => undefined)
  const worker = queues.work<string>('late', never, { concurrency: 1, onError: () => undefined })
  await queue.add({ data: 'taken' })
  await taken.opened
  const stopped = worker.stop(1)
  setTimeout(answers.open, 50)
  await stopped
  expect(await queue.counts()).toMatchObject({ active: 0, waiting: 1 })
  await queues.close()
})
