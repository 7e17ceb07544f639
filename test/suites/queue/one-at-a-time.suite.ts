// Jobs of one key run one at a time, events wake them, and a busy project delays nobody.
import { Job } from 'bullmq'
import { fairQueue } from '../../../src/queue/bullmq/fair-queue.ts'
import { QueueNotSettled } from '../../../src/queue/errors.ts'
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, gate, noting, queuesOf, reaches } from './test-queues.ts'

export function queueOneAtATimeSuite(open: () => Queues): void {
  const { fresh, test, worked } = queuesOf(open)

  describe('one at a time', () => {
    test('jobs of one key never run at once, and the last add runs afterwards', async ({ queue }) => {
      const first = gate()
      const ran: Data[] = []
      let atOnce = 0
      let most = 0
      const handler: JobHandler<Data> = async ({ data }) => {
        most = Math.max(most, ++atOnce)
        ran.push(data)
        if (ran.length === 1) await first.opened
        atOnce -= 1
        return { outcome: 'done' }
      }
      await worked(queue, handler, async () => {
        expect((await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })).added).toBe(true)
        await eventually(() => expect(ran).toHaveLength(1))
        for (const n of [2, 3, 4])
          expect((await queue.add({ data: { n }, deduplicationKey: 'mr-1' })).added).toBe(false)
        first.open()
        await queue.settled()
        expect(ran).toEqual([{ n: 1 }, { n: 4 }])
        expect(most).toBe(1)
        expect((await queue.add({ data: { n: 5 }, deduplicationKey: 'mr-1' })).added).toBe(true)
        await queue.settled()
      })
      expect(ran).toHaveLength(3)
    })

    test('jobs of other keys run at the same time', async ({ queue }) => {
      const both = gate()
      let inside = 0
      const handler: JobHandler<Data> = async () => {
        if (++inside === 2) both.open()
        await both.opened
        return { outcome: 'done' }
      }
      await worked(queue, handler, async () => {
        await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
        await queue.add({ data: { n: 2 }, deduplicationKey: 'mr-2' })
        await queue.settled()
      })
      expect(inside).toBe(2)
    })

    test('adds start a job in back-off at once, which costs no attempt', async ({ queue }) => {
      const attempts: number[] = []
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length < 5) throw new Error('not yet')
        return { outcome: 'done' }
      }
      await worked(
        queue,
        handler,
        async () => {
          const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
          for (let n = 1; n < 5; n += 1) {
            await eventually(async () =>
              expect([attempts.length, (await queue.get(id))?.state]).toEqual([n, 'delayed']),
            )
            await queue.add({ data: { n }, deduplicationKey: 'mr-1' })
          }
          await queue.settled()
          expect((await queue.get(id))?.state).toBe('completed')
        },
        { backoffMs: 600_000, attempts: 2 },
      )
      expect(attempts).toEqual([1, 1, 1, 1, 1])
    })

    test.each([undefined, 50])(
      'with priority %s: at most one job of a key runs, no add is lost, an add starts a delayed job',
      async (priority) => {
        const queue = fresh()
        const job = { deduplicationKey: 'mr-1', ...(priority === undefined ? {} : { priority }) }
        const first = gate()
        const outcomes = ['throw', 'later', 'done', 'done']
        let runs = 0
        let atOnce = 0
        let most = 0
        const handler: JobHandler<Data> = async () => {
          most = Math.max(most, ++atOnce)
          const outcome = outcomes[runs++]
          if (runs === 3) await first.opened
          atOnce -= 1
          if (outcome === 'throw') throw new Error('once')
          return outcome === 'later' ? { outcome: 'later', delayMs: 600_000, reason: 'not yet' } : { outcome: 'done' }
        }
        await worked(
          queue,
          handler,
          async () => {
            await queue.add({ data: { n: 1 }, ...job, delayMs: 600_000 })
            // From a delay, a back-off, a "later", and the last during a run.
            for (const n of [1, 2, 3, 4]) {
              await queue.add({ data: { n }, ...job })
              await eventually(async () =>
                expect([runs, (await queue.counts()).delayed]).toEqual([Math.min(n, 3), n < 3 ? 1 : 0]),
              )
            }
            first.open()
            await queue.settled()
          },
          { backoffMs: 600_000 },
        )
        expect([runs, most]).toEqual([4, 1])
      },
    )

    test('two merge requests of a quiet project do not wait for fifty of a busy one', async ({ queue }) => {
      const fair = fairQueue(queue, { senderOf: (data) => ('text' in data ? data.text : undefined), now: Date.now })
      const ran: string[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push('text' in data ? data.text : '')
        return { outcome: 'done' }
      }
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => fair.add({ data: { text: 'busy' }, deduplicationKey: `busy-${n}` })),
      )
      await fair.add({ data: { text: 'quiet' }, deduplicationKey: 'quiet-1' })
      await fair.add({ data: { text: 'quiet' }, deduplicationKey: 'quiet-2' })
      const areDone = () => eventually(() => expect(ran.filter((each) => each === 'quiet')).toHaveLength(2))
      await worked(queue, handler, areDone, { concurrency: 1 })
      expect(ran.lastIndexOf('quiet')).toBeLessThan(6)
    })

    test.each([0, 600_000])(
      'an add raises a job that waits far back, or for %i ms, to its own priority',
      async (delayMs) => {
        const queue = fresh()
        const ran: Data[] = []
        await queue.add({ data: { text: 'mr' }, deduplicationKey: 'mr-1', priority: 1_000, delayMs })
        for (const n of [1, 2, 3]) await queue.add({ data: { n }, deduplicationKey: `other-${n}`, priority: 5 })
        expect((await queue.add({ data: { text: 'mr' }, deduplicationKey: 'mr-1', priority: 2 })).added).toBe(false)
        // A lower priority changes nothing.
        await queue.add({ data: { text: 'mr' }, deduplicationKey: 'mr-1', priority: 700 })
        await worked(queue, noting(ran), undefined, { concurrency: 1 })
        expect(ran).toMatchObject([{ text: 'mr' }, { n: 1 }, { n: 2 }, { n: 3 }])
      },
    )

    test('a job far back does not starve behind newer jobs', async ({ queue }) => {
      let now = Date.parse('2026-11-21T12:00:00Z')
      const fair = fairQueue(queue, { senderOf: () => undefined, now: () => now })
      const ran: Data[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push(data)
        now += 10_000
        if ('n' in data && data.n < 15) await fair.add({ data: { n: data.n + 1 } })
        return { outcome: 'done' }
      }
      await fair.add({ data: { text: 'far back' }, priority: 8 })
      for (const _ of [1, 2]) await fair.add({ data: { n: 0 } })
      await worked(queue, handler, undefined, { concurrency: 1 })
      const place = ran.findIndex((data) => 'text' in data)
      expect(place).toBeGreaterThan(5)
      expect(place).toBeLessThan(20)
    })

    test.each(['later', 'throw'] as const)(
      'an add during a run starts the job again at once if it ends with %s',
      async (how) => {
        const queue = fresh()
        const added = gate()
        let runs = 0
        const handler: JobHandler<Data> = async () => {
          runs += 1
          if (runs > 1) return { outcome: 'done' }
          await added.opened
          if (how === 'throw') throw new Error('once')
          return { outcome: 'later', delayMs: 600_000, reason: 'not yet' }
        }
        await worked(
          queue,
          handler,
          async () => {
            const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
            await eventually(() => expect(runs).toBe(1))
            await queue.add({ data: { n: 2 }, deduplicationKey: 'mr-1' })
            added.open()
            await reaches(queue, id, 'completed')
            await queue.settled()
          },
          { backoffMs: 600_000 },
        )
        expect(runs).toBe(2)
      },
    )

    test('is settled only when a job that was added during its run has run again', async ({ queue }) => {
      const { isDelayed } = Job.prototype
      const waking = vi.spyOn(Job.prototype, 'isDelayed').mockImplementation(async function (this: Job) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return isDelayed.apply(this)
      })
      let runs = 0
      const handler: JobHandler<Data> = async () => {
        runs += 1
        if (runs > 1) return { outcome: 'done' }
        await queue.add({ data: { n: 2 }, deduplicationKey: 'mr-1' })
        return { outcome: 'later', delayMs: 600_000, reason: 'not yet' }
      }
      try {
        await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
        await worked(queue, handler)
      } finally {
        waking.mockRestore()
      }
      expect(runs).toBe(2)
    })

    test('a job that its process takes again while its last run is ending does not wait for a lock to expire', async () => {
      const queue = fresh()
      const ran: Data[] = []
      const taken = gate()
      const { moveToDelayed } = Job.prototype
      let calls = 0
      const moving = vi.spyOn(Job.prototype, 'moveToDelayed').mockImplementation(async function (this: Job, ...args) {
        const call = ++calls
        await moveToDelayed.apply(this, args)
        if (call === 1) await taken.opened
        if (call !== 2) return
        taken.open()
        // The first run ends meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push(data)
        return ran.length === 1 ? { outcome: 'later', delayMs: 1, reason: 'not yet' } : { outcome: 'done' }
      }
      try {
        const { id } = await queue.add({ data: { n: 1 } })
        await worked(queue, handler, () => reaches(queue, id, 'completed'))
      } finally {
        moving.mockRestore()
      }
      expect([ran.length, calls]).toEqual([2, 2])
    })

    test('a delayed add does not postpone a waiting job', async ({ queue }) => {
      const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1', delayMs: 60_000 })
      await queue.add({ data: { n: 2 }, deduplicationKey: 'mr-1', delayMs: 7_200_000 })
      await expect(queue.settled({ withinMs: 120_000, timeoutMs: 50 })).rejects.toThrow(QueueNotSettled)
      expect((await queue.get(id))?.state).toBe('delayed')
    })
  })
}
