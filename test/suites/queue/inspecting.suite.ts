// Listing, cleaning, pausing and settling a queue, and stopping its workers.
import { randomBytes } from 'node:crypto'
import { JobNotRetryable, QueueNotSettled } from '../../../src/queue/errors.ts'
import { allSettled } from '../../../src/queue/settled.ts'
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, failing, gate, noting, queuesOf } from './test-queues.ts'

export function queueLookingSuite(open: () => Queues): void {
  const { fresh, test, worked } = queuesOf(open)

  describe('inspecting and stopping', () => {
    test('lists newest first, page by page, and removes', async ({ queue }) => {
      const ids: string[] = []
      for (const n of [1, 2, 3]) {
        ids.push((await queue.add({ data: { n } })).id)
        const before = Date.now()
        await eventually(() => expect(Date.now()).toBeGreaterThan(before))
      }
      expect((await queue.list(['waiting'], 0, 2)).map((job) => job.id)).toEqual([ids[2], ids[1]])
      expect((await queue.list(['waiting', 'failed'], 2, 2)).map((job) => job.id)).toEqual([ids[0]])
      await queue.remove(ids[0] ?? '')
      expect(await queue.get(ids[0] ?? '')).toBeUndefined()
      expect((await queue.counts()).waiting).toBe(2)
    })

    test('lists each delayed job on one page only', async ({ queue }) => {
      for (const hours of [3, 1, 4, 2]) await queue.add({ data: { n: hours }, delayMs: hours * 3_600_000 })
      const pages = await Promise.all([0, 2, 4].map((from) => queue.list(['delayed'], from, 2)))
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 0])
      expect(new Set(pages.flat().map(({ data }) => ('n' in data ? data.n : 0)))).toEqual(new Set([1, 2, 3, 4]))
    })

    test('cleans finished jobs: completed ones are removed, failed ones get lighter data and can be retried', async () => {
      const queue = fresh()
      const ids: string[] = []
      for (const n of Array.from({ length: 12 }, (_, at) => at)) ids.push((await queue.add({ data: { n } })).id)
      const isOdd = (data: Data) => 'n' in data && data.n % 2 === 1
      const handler: JobHandler<Data> = async ({ data }) =>
        isOdd(data) ? { outcome: 'failed', reason: 'odd' } : { outcome: 'done' }
      await worked(queue, handler)
      const lighter = (data: Data) => ('n' in data && data.n > 1 ? { text: `lighter ${data.n}` } : undefined)
      await queue.cleanFinished({ completed: 60_000, failed: 60_000 }, lighter)
      expect(await queue.counts()).toMatchObject({ completed: 6, failed: 6 })
      expect((await queue.get(ids[3] ?? ''))?.data).toEqual({ n: 3 })
      await eventually(async () => {
        await queue.cleanFinished({ completed: 1, failed: 1 }, lighter)
        expect(await queue.counts()).toMatchObject({ completed: 0, failed: 6 })
        const data = (await queue.list(['failed'], 0, 10)).map((job) => job.data)
        expect(new Set(data)).toEqual(new Set([{ n: 1 }, ...[3, 5, 7, 9, 11].map((n) => ({ text: `lighter ${n}` }))]))
      })
      await queue.retry(ids[3] ?? '')
      const ran: Data[] = []
      await worked(queue, noting(ran))
      expect(ran).toEqual([{ text: 'lighter 3' }])
    })

    test('cleans by when a job failed, not by when it was added', async ({ queue }) => {
      const hour = 3_600_000
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hour })
      const { id } = await queue.add({ data: { n: 1 } }).finally(() => vi.useRealTimers())
      await worked(queue, failing)
      expect((await queue.get(id))?.addedAt).toBeLessThan(Date.now() - hour)
      await queue.cleanFinished({ completed: hour, failed: hour }, () => ({ text: 'lighter' }))
      expect((await queue.get(id))?.data).toEqual({ n: 1 })
    })

    test('a delayed job that is promoted runs at once; any other is refused', async ({ queue }) => {
      const { id } = await queue.add({ data: { n: 1 }, delayMs: 3_600_000 })
      await expect(queue.promote('unknown')).rejects.toThrow(JobNotRetryable)
      await queue.promote(id)
      await expect(queue.promote(id)).rejects.toThrow(JobNotRetryable)
      const ran: Data[] = []
      await worked(queue, noting(ran))
      expect(ran).toEqual([{ n: 1 }])
    })

    test('a paused queue runs nothing, still counts waiting jobs, and continues when resumed', async ({ queue }) => {
      const ran: Data[] = []
      expect(await queue.isPaused()).toBe(false)
      await queue.pause()
      expect(await queue.isPaused()).toBe(true)
      await worked(queue, noting(ran), async () => {
        await queue.add({ data: { n: 1 } })
        await expect(queue.settled({ timeoutMs: 100 })).rejects.toThrow(QueueNotSettled)
        expect(ran).toEqual([])
        expect((await queue.counts()).waiting).toBe(1)
        await queue.resume()
        await queue.settled()
      })
      expect(ran).toHaveLength(1)
    })

    test('the backlog counts every waiting and delayed job, with its bytes', async ({ queue }) => {
      // Hardly compressible.
      const text = randomBytes(30_000).toString('base64')
      await queue.add({ data: { text } })
      const never = () => Promise.reject(new Error('retried in an hour'))
      const isDelayed = () => eventually(async () => expect((await queue.counts()).delayed).toBe(1))
      await worked(queue, never, isDelayed, { backoffMs: 3_600_000 })
      await queue.add({ data: { text } })
      await queue.add({ data: { text }, priority: 7 })
      await queue.pause()
      await queue.add({ data: { text }, delayMs: 3_600_000 })
      await queue.add({ data: { text } })
      const { jobs, bytes } = await queue.backlog()
      expect(jobs).toBe(5)
      expect((await queue.counts()).waiting).toBe(3)
      expect(bytes / 5).toBeGreaterThan(28_000)
      expect(bytes / 5).toBeLessThan(42_000)
      await queue.resume()
      await worked(queue, noting<Data>([]))
      expect((await queue.backlog()).jobs).toBe(2)
    })

    test('finds when the oldest job of each state was added', async ({ queue }) => {
      expect(await queue.oldest()).toEqual({})
      await queue.add({ data: { n: 0 } })
      await worked(queue, failing)
      const added = async (job: Parameters<typeof queue.add>[0]) =>
        (await queue.get((await queue.add(job)).id))?.addedAt ?? 0
      const late = await added({ data: { n: 1 }, priority: 9 })
      await eventually(() => expect(Date.now()).toBeGreaterThan(late))
      await added({ data: { n: 2 }, priority: 1 })
      const delayed = await added({ data: { n: 3 }, delayMs: 3_600_000 })
      const [failed] = await queue.list(['failed'], 0, 1)
      expect(await queue.oldest()).toEqual({ waiting: late, delayed, failed: failed?.addedAt })
      await queue.pause()
      expect(await queue.oldest()).toMatchObject({ waiting: late })
    })

    test('settled waits for jobs that a job adds', async ({ queue }) => {
      const ran: number[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        const n = 'n' in data ? data.n : 0
        ran.push(n)
        if (n < 10) await queue.add({ data: { n: n + 1 }, ...(n % 2 === 0 ? { delayMs: 10 } : {}) })
        return { outcome: 'done' }
      }
      await worked(queue, handler, async () => {
        await queue.add({ data: { n: 1 } })
        await queue.settled()
      })
      expect(ran).toHaveLength(10)
    })

    test('several are settled when their jobs have added nothing more to each other', async () => {
      const [one, two] = [fresh(), fresh()]
      const ran: Data[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push(data)
        const n = 'n' in data ? data.n : 0
        // Longer than between two looks.
        await new Promise((resolve) => setTimeout(resolve, 200))
        if (n < 3) await [two, one][n % 2]?.add({ data: { n: n + 1 } })
        return { outcome: 'done' }
      }
      await worked(one, handler, () =>
        worked(two, handler, async () => {
          await one.add({ data: { n: 0 } })
          await allSettled([two, one])
        }),
      )
      expect(ran).toHaveLength(4)
    })

    test('stop waits for running jobs, and gives back those that take too long', async ({ queue }) => {
      const never = gate()
      const started = gate()
      const ran: string[] = []
      const hangs: JobHandler<Data> = async ({ id }) => {
        started.open()
        await never.opened
        ran.push(`late ${id}`)
        return { outcome: 'done' }
      }
      const worker = open().work(queue.name, hangs, { concurrency: 1, onError: () => undefined })
      const { id } = await queue.add({ data: { n: 1 } })
      await started.opened
      await worker.stop(50)
      const handler: JobHandler<Data> = async (job) => {
        ran.push(job.id)
        return { outcome: 'done' }
      }
      await worked(queue, handler, async () => {
        await eventually(() => expect(ran).toEqual([id]))
        await queue.settled()
      })
      never.open()
    })

    test('answers a ping, and says how full its backend is', async () => {
      const bytes = expect.any(Number)
      const ofKind = { embedded: { freeDisk: bytes }, redis: { memory: { used: bytes, limit: bytes } }, postgres: {} }
      await open().ping()
      const space = await open().space()
      expect(space).toEqual(ofKind[open().kind])
      if (space.memory !== undefined) expect(space.memory.limit).toBeGreaterThan(space.memory.used)
    })
  })
}
