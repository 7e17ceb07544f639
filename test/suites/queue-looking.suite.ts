// Looking into a lane, tidying, pausing and settling it, and stopping its workers.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { JobNotRetryable, LaneNotSettled } from '../../src/queue/errors.ts'
import type { JobHandler, Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, gate, lanesOf, noting } from './queue-lanes.ts'

export function queueLookingSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('looking and stopping', () => {
    test('lists newest first, page by page, and removes', async () => {
      const lane = fresh()
      const ids: string[] = []
      for (const n of [1, 2, 3]) {
        ids.push((await lane.add({ data: { n } })).id)
        const before = Date.now()
        await eventually(() => expect(Date.now()).toBeGreaterThan(before))
      }
      expect((await lane.list(['waiting'], 0, 2)).map((job) => job.id)).toEqual([ids[2], ids[1]])
      expect((await lane.list(['waiting', 'failed'], 2, 2)).map((job) => job.id)).toEqual([ids[0]])
      await lane.remove(ids[0] ?? '')
      expect(await lane.get(ids[0] ?? '')).toBeUndefined()
      expect((await lane.counts()).waiting).toBe(2)
    })

    test('lists what waits for later with each job on one page, whatever the order in which they come due', async () => {
      const lane = fresh()
      for (const hours of [3, 1, 4, 2]) await lane.add({ data: { n: hours }, delayMs: hours * 3_600_000 })
      const pages = [await lane.list(['delayed'], 0, 2), await lane.list(['delayed'], 2, 2), await lane.list(['delayed'], 4, 2)]
      const hours = pages.map((page) => page.map(({ data }) => ('n' in data ? data.n : 0)).sort())
      expect(hours).toEqual([[3, 4], [1, 2], []])
    })

    test('sheds what ended long ago: the completed go, the failed get lighter and can still be retried', async () => {
      const lane = fresh()
      const ids: string[] = []
      for (const n of Array.from({ length: 12 }, (_, at) => at)) ids.push((await lane.add({ data: { n } })).id)
      const isOdd = (data: Data) => 'n' in data && data.n % 2 === 1
      const handler: JobHandler<Data> = async ({ data }) => (isOdd(data) ? { outcome: 'failed', reason: 'odd' } : { outcome: 'done' })
      await worked(lane, handler, () => lane.settled())
      const lighter = (data: Data) => ('n' in data && data.n > 1 ? { text: `lighter ${data.n}` } : undefined)
      await lane.shed({ completed: 60_000, failed: 60_000 }, lighter)
      expect(await lane.counts()).toMatchObject({ completed: 6, failed: 6 })
      expect((await lane.get(ids[3] ?? ''))?.data).toEqual({ n: 3 })
      await eventually(async () => {
        await lane.shed({ completed: 1, failed: 1 }, lighter)
        expect(await lane.counts()).toMatchObject({ completed: 0, failed: 6 })
        const data = (await lane.list(['failed'], 0, 10)).map((job) => job.data)
        expect(new Set(data)).toEqual(new Set([{ n: 1 }, ...[3, 5, 7, 9, 11].map((n) => ({ text: `lighter ${n}` }))]))
      })
      await lane.retry(ids[3] ?? '')
      const ran: Data[] = []
      await worked(lane, noting(ran), () => lane.settled())
      expect(ran).toEqual([{ text: 'lighter 3' }])
    })

    test('a delayed job that is promoted runs at once; any other is refused', async () => {
      const lane = fresh()
      const { id } = await lane.add({ data: { n: 1 }, delayMs: 3_600_000 })
      await expect(lane.promote('unknown')).rejects.toThrow(JobNotRetryable)
      await lane.promote(id)
      await expect(lane.promote(id)).rejects.toThrow(JobNotRetryable)
      const ran: Data[] = []
      await worked(lane, noting(ran), () => lane.settled())
      expect(ran).toEqual([{ n: 1 }])
    })

    test('a paused lane runs nothing, keeps counting what waits, and goes on when resumed', async () => {
      const lane = fresh()
      let runs = 0
      expect(await lane.isPaused()).toBe(false)
      await lane.pause()
      expect(await lane.isPaused()).toBe(true)
      await worked(
        lane,
        async () => {
          runs += 1
          return { outcome: 'done' }
        },
        async () => {
          await lane.add({ data: { n: 1 } })
          await expect(lane.settled({ timeoutMs: 100 })).rejects.toThrow(LaneNotSettled)
          expect(runs).toBe(0)
          expect((await lane.counts()).waiting).toBe(1)
          await lane.resume()
          await lane.settled()
        },
      )
      expect(runs).toBe(1)
    })

    test('the backlog is what waits in any way, with its bytes', async () => {
      const lane = fresh()
      // Such as hardly any store can pack.
      const text = randomBytes(30_000).toString('base64')
      const failing = async () => {
        await lane.add({ data: { text } })
        await eventually(async () => expect((await lane.counts()).delayed).toBe(1))
      }
      const never: JobHandler<Data> = async () => {
        throw new Error('tried again in an hour')
      }
      await worked(lane, never, failing, { backoffMs: 3_600_000 })
      await lane.add({ data: { text } })
      await lane.add({ data: { text }, priority: 7 })
      await lane.pause()
      await lane.add({ data: { text }, delayMs: 3_600_000 })
      await lane.add({ data: { text } })
      const { jobs, bytes } = await lane.backlog()
      expect(jobs).toBe(5)
      expect(bytes / 5).toBeGreaterThan(28_000)
      expect(bytes / 5).toBeLessThan(42_000)
      await lane.resume()
      await worked(lane, noting<Data>([]), () => lane.settled())
      expect((await lane.backlog()).jobs).toBe(2)
    })

    test('the backlog of many is measured from the first to the last, whatever they wait for', async () => {
      const lane = fresh()
      const adds = Array.from({ length: 1_100 }, (_, n) => lane.add({ data: { text: 'small' }, ...(n % 2 === 0 ? { priority: 7 } : {}) }))
      await Promise.all(adds)
      const before = await lane.backlog()
      expect(before.jobs).toBe(1_100)
      expect(before.bytes / 1_100).toBeLessThan(300)
      for (let n = 0; n < 10; n += 1) await lane.add({ data: { text: randomBytes(30_000).toString('base64') }, delayMs: 3_600_000 })
      const { jobs, bytes } = await lane.backlog()
      expect(jobs).toBe(1_110)
      expect(bytes - before.bytes).toBeGreaterThan(10 * 28_000)
      expect(bytes - before.bytes).toBeLessThan(10 * 42_000)
    })

    test('it tells how old the oldest job of each state is', async () => {
      const lane = fresh()
      expect(await lane.oldest()).toEqual({})
      const failing = async () => {
        await lane.add({ data: { n: 0 } })
        await eventually(async () => expect((await lane.counts()).failed).toBe(1))
      }
      await worked(lane, async () => ({ outcome: 'failed', reason: 'odd' }), failing)
      const added = async (job: Parameters<typeof lane.add>[0]) => (await lane.get((await lane.add(job)).id))?.addedAt ?? 0
      const late = await added({ data: { n: 1 }, priority: 9 })
      await eventually(() => expect(Date.now()).toBeGreaterThan(late))
      await added({ data: { n: 2 }, priority: 1 })
      const delayed = await added({ data: { n: 3 }, delayMs: 3_600_000 })
      const [failed] = await lane.list(['failed'], 0, 1)
      expect(await lane.oldest()).toEqual({ waiting: late, delayed, failed: failed?.addedAt })
      await lane.pause()
      expect(await lane.oldest()).toMatchObject({ waiting: late })
    })

    test('settled waits for what a job adds', async () => {
      const lane = fresh()
      const ran: number[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        const n = 'n' in data ? data.n : 0
        ran.push(n)
        if (n < 10) await lane.add({ data: { n: n + 1 }, ...(n % 2 === 0 ? { delayMs: 10 } : {}) })
        return { outcome: 'done' }
      }
      await worked(lane, handler, async () => {
        await lane.add({ data: { n: 1 } })
        await lane.settled()
      })
      expect(ran).toHaveLength(10)
    })

    test('stop waits for what runs, and releases what takes too long', async () => {
      const lane = fresh()
      const never = gate()
      const started = gate()
      const ran: string[] = []
      const worker = open().work<Data>(
        lane.name,
        async ({ id }) => {
          started.open()
          await never.opened
          ran.push(`late ${id}`)
          return { outcome: 'done' }
        },
        {
          concurrency: 1,
          onError: () => undefined,
        },
      )
      const { id } = await lane.add({ data: { n: 1 } })
      await started.opened
      await worker.stop(50)
      await worked(
        lane,
        async (job) => {
          ran.push(job.id)
          return { outcome: 'done' }
        },
        async () => {
          await eventually(() => expect(ran).toEqual([id]))
          await lane.settled()
        },
      )
      never.open()
    })

    test('it says how full its store is, as far as that has limits', async () => {
      const bytes = expect.any(Number)
      // A Redis without a limit of its own ends with the memory of its machine.
      const ofKind = { embedded: { freeDisk: bytes }, redis: { memory: { used: bytes, limit: bytes } }, postgres: {} }
      const space = await open().space()
      expect(space).toEqual(ofKind[open().kind])
      if (space.memory !== undefined) expect(space.memory.limit).toBeGreaterThan(space.memory.used)
    })

    test('ping answers', async () => {
      await open().ping()
    })
  })
}
