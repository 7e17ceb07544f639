// What an idle worker asks of the embedded database.
import { openQueues } from '../../src/queue/open-queue.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { eventually } from '../eventually.ts'
import { prepareQueue } from '../prepared-database.ts'

const directory = ownFolder().folder

afterEach(() => {
  vi.useRealTimers()
})

test('an idle worker looks for jobs once a minute, and when one is added or due', async () => {
  const queues = await openQueues({ url: await prepareQueue(directory) })
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
