// Jobs of one key run one at a time, events wake them, and whose turn it is is fair.
import { describe, expect, test } from 'vitest'
import { LaneNotSettled } from '../../src/queue/errors.ts'
import { fairLane } from '../../src/queue/fair-lane.ts'
import type { JobHandler, Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, gate, lanesOf, noting } from './queue-lanes.ts'

export function queueOneAtATimeSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('one at a time', () => {
    test('one key never runs twice at once and the last add runs after', async () => {
      const lane = fresh()
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
      await worked(lane, handler, async () => {
        expect((await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })).added).toBe(true)
        await eventually(() => expect(ran).toHaveLength(1))
        for (const n of [2, 3, 4]) expect((await lane.add({ data: { n }, oneAtATime: 'mr-1' })).added).toBe(false)
        first.open()
        await lane.settled()
        expect(ran).toEqual([{ n: 1 }, { n: 4 }])
        expect(most).toBe(1)
        // A finished job has given up its key.
        expect((await lane.add({ data: { n: 5 }, oneAtATime: 'mr-1' })).added).toBe(true)
        await lane.settled()
      })
      expect(ran).toHaveLength(3)
    })

    test('other keys run beside it', async () => {
      const lane = fresh()
      const both = gate()
      let inside = 0
      const handler: JobHandler<Data> = async () => {
        if (++inside === 2) both.open()
        await both.opened
        return { outcome: 'done' }
      }
      await worked(lane, handler, async () => {
        await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
        await lane.add({ data: { n: 2 }, oneAtATime: 'mr-2' })
        await lane.settled()
      })
      expect(inside).toBe(2)
    })

    test('adds wake a job that waits in back-off, and cost it no attempt', async () => {
      const lane = fresh()
      const attempts: number[] = []
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length < 5) throw new Error('not yet')
        return { outcome: 'done' }
      }
      await worked(
        lane,
        handler,
        async () => {
          const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
          for (let n = 1; n < 5; n += 1) {
            await eventually(async () => expect([attempts.length, (await lane.get(id))?.state]).toEqual([n, 'delayed']))
            await lane.add({ data: { n }, oneAtATime: 'mr-1' })
          }
          await lane.settled()
          expect((await lane.get(id))?.state).toBe('completed')
        },
        { backoffMs: 600_000, attempts: 2 },
      )
      expect(attempts).toEqual([1, 1, 1, 1, 1])
    })

    test.each([undefined, 50])(
      'with priority %s one key keeps its promises: at most one runs, none is lost, an event wakes it',
      async (priority) => {
        const lane = fresh()
        const job = { oneAtATime: 'mr-1', ...(priority === undefined ? {} : { priority }) }
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
          lane,
          handler,
          async () => {
            await lane.add({ data: { n: 1 }, ...job, delayMs: 600_000 })
            // Each is woken from another kind of waiting: a delay, a back-off, a "later"; the last comes while one runs.
            for (const n of [1, 2, 3, 4]) {
              await lane.add({ data: { n }, ...job })
              await eventually(async () => expect([runs, (await lane.counts()).delayed]).toEqual([Math.min(n, 3), n < 3 ? 1 : 0]))
            }
            first.open()
            await lane.settled()
          },
          { backoffMs: 600_000 },
        )
        expect([runs, most]).toEqual([4, 1])
      },
    )

    test('two merge requests of a quiet project do not wait for five hundred of a busy one', async () => {
      const lane = fresh()
      const fair = fairLane(lane, { senderOf: (data) => ('text' in data ? data.text : undefined), now: Date.now })
      const ran: string[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push('text' in data ? data.text : '')
        return { outcome: 'done' }
      }
      await Promise.all(Array.from({ length: 500 }, (_, n) => fair.add({ data: { text: 'busy' }, oneAtATime: `busy-${n}` })))
      await fair.add({ data: { text: 'quiet' }, oneAtATime: 'quiet-1' })
      await fair.add({ data: { text: 'quiet' }, oneAtATime: 'quiet-2' })
      await worked(lane, handler, () => eventually(() => expect(ran.filter((each) => each === 'quiet')).toHaveLength(2)), {
        concurrency: 1,
      })
      expect(ran.lastIndexOf('quiet')).toBeLessThan(6)
    })

    test.each([0, 600_000])('an event lifts a job that waits far back, or for %i ms, to its own place', async (delayMs) => {
      const lane = fresh()
      const ran: Data[] = []
      await lane.add({ data: { text: 'mr' }, oneAtATime: 'mr-1', priority: 1_000, delayMs })
      for (const n of [1, 2, 3]) await lane.add({ data: { n }, oneAtATime: `other-${n}`, priority: 5 })
      expect((await lane.add({ data: { text: 'mr' }, oneAtATime: 'mr-1', priority: 2 })).added).toBe(false)
      // One that would stand further back takes nothing away.
      await lane.add({ data: { text: 'mr' }, oneAtATime: 'mr-1', priority: 700 })
      await worked(lane, noting(ran), () => lane.settled(), { concurrency: 1 })
      expect(ran).toEqual([{ text: 'mr' }, { n: 1 }, { n: 2 }, { n: 3 }])
    })

    test('a job far back is not kept waiting by others that keep coming', async () => {
      const lane = fresh()
      let now = Date.parse('2026-11-21T12:00:00Z')
      const fair = fairLane(lane, { senderOf: () => undefined, now: () => now })
      const ran: Data[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push(data)
        now += 10_000
        if ('n' in data && data.n < 60) await fair.add({ data: { n: data.n + 1 } })
        return { outcome: 'done' }
      }
      await fair.add({ data: { text: 'swept' }, priority: 20 })
      for (const _ of [1, 2]) await fair.add({ data: { n: 0 } })
      await worked(lane, handler, () => lane.settled(), { concurrency: 1 })
      const place = ran.findIndex((data) => 'text' in data)
      expect(place).toBeGreaterThan(15)
      expect(place).toBeLessThan(45)
    })

    test.each(['later', 'throw'] as const)('an add while the job runs wakes it also when it then says %s', async (how) => {
      const lane = fresh()
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
        lane,
        handler,
        async () => {
          const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
          await eventually(() => expect(runs).toBe(1))
          await lane.add({ data: { n: 2 }, oneAtATime: 'mr-1' })
          added.open()
          await eventually(async () => expect((await lane.get(id))?.state).toBe('completed'))
          await lane.settled()
        },
        { backoffMs: 600_000 },
      )
      expect(runs).toBe(2)
    })

    test('a delayed add does not postpone a job that waits', async () => {
      const lane = fresh()
      const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1', delayMs: 60_000 })
      await lane.add({ data: { n: 2 }, oneAtATime: 'mr-1', delayMs: 7_200_000 })
      await expect(lane.settled({ withinMs: 120_000, timeoutMs: 50 })).rejects.toThrow(LaneNotSettled)
      expect((await lane.get(id))?.state).toBe('delayed')
    })
  })
}
