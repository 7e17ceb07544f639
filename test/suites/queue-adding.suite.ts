// What adding to a queue promises: once per id, data as given, delays, priorities, and that it wakes a worker.
import { describe, expect, test } from 'vitest'
import { LaneNotSettled } from '../../src/queue/errors.ts'
import type { Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, lanesOf, noting } from './queue-lanes.ts'

export function queueAddingSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('adding', () => {
    test('a job added twice under one id runs once', async () => {
      const lane = fresh()
      const ran: Data[] = []
      const added = await Promise.all(Array.from({ length: 20 }, (_, n) => lane.add({ id: 'delivery-a', data: { n } })))
      expect(added.filter((answer) => answer.added)).toHaveLength(1)
      await worked(lane, noting(ran), () => lane.settled())
      expect(await lane.add({ id: 'delivery-a', data: { n: 99 } })).toEqual({ id: 'delivery-a', added: false })
      expect(ran).toHaveLength(1)
      expect((await lane.counts()).completed).toBe(1)
    })

    test('data comes back as it was given, also what a database would refuse', async () => {
      const lane = fresh()
      const hostile: Data[] = [{ text: 'a\0b' }, { text: '\ud800 alone' }, { text: '\\u0000 "\'\n' }, { text: 'é😀'.repeat(100_000) }]
      for (const [at, data] of hostile.entries()) await lane.add({ id: `hostile-${at}`, data })
      const got: Data[] = []
      await worked(lane, noting(got), () => lane.settled(), { concurrency: 1 })
      expect(got).toEqual(hostile)
      expect((await lane.get('hostile-0'))?.data).toEqual(hostile[0])
    })

    test('a delayed job waits, and a lane with one that is due much later counts as settled', async () => {
      const lane = fresh()
      const { id } = await lane.add({ data: { n: 1 }, delayMs: 3_600_000 })
      await lane.settled()
      expect((await lane.get(id))?.state).toBe('delayed')
      await expect(lane.settled({ withinMs: 7_200_000, timeoutMs: 50 })).rejects.toThrow(LaneNotSettled)
    })

    test('a lower priority number goes first, none before all', async () => {
      const lane = fresh()
      await lane.add({ data: { n: 3 }, priority: 30 })
      await lane.add({ data: { n: 2 }, priority: 20 })
      await lane.add({ data: { n: 1 } })
      const ran: Data[] = []
      await worked(lane, noting(ran), () => lane.settled(), { concurrency: 1 })
      expect(ran).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    })

    test('ids that BullMQ cannot take are refused with a sentence', async () => {
      for (const id of ['a:b', '12', '']) await expect(fresh().add({ id, data: { n: 1 } })).rejects.toThrow(TypeError)
    })

    test('a worker that idles is woken by an add, not by its next look', async () => {
      const lane = fresh()
      const ran: Data[] = []
      await worked(lane, noting(ran), async () => {
        await lane.add({ data: { n: 0 } })
        await lane.settled()
        const took: number[] = []
        for (let n = 1; n <= 5; n += 1) {
          // Idle is only idle once the worker has asked and found nothing.
          await new Promise((resolve) => setTimeout(resolve, 50))
          const from = performance.now()
          await lane.add({ data: { n } })
          await eventually(() => expect(ran).toHaveLength(n + 1))
          took.push(performance.now() - from)
        }
        // Its next look would be after 5 s.
        expect(Math.min(...took)).toBeLessThan(1_000)
      })
    })
  })
}
