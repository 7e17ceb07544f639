// Jobs that run again and again.
import { describe, expect, test } from 'vitest'
import type { Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, lanesOf, noting } from './queue-lanes.ts'

export function queueSchedulesSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('a schedule', () => {
    test('runs again and again, once for all who set it, until it is ended', async () => {
      const lane = fresh()
      const ran: Data[] = []
      await Promise.all([1, 2, 3].map(() => lane.every('tick', 50, { n: 1 })))
      expect((await lane.counts()).delayed).toBe(1)
      await worked(lane, noting(ran), async () => {
        await eventually(() => expect(ran.length).toBeGreaterThan(2))
        expect(ran.every((data) => 'n' in data && data.n === 1)).toBe(true)
        await lane.every('tick', 0, { n: 1 })
        await lane.settled()
      })
      expect(await lane.counts()).toMatchObject({ waiting: 0, delayed: 0 })
    })

    test('set again goes on as it was; another period begins anew', async () => {
      const lane = fresh()
      await lane.every('tick', 3_600_000, { n: 1 })
      const first = await lane.list(['delayed'], 0, 9)
      await lane.every('tick', 3_600_000, { n: 2 })
      expect((await lane.list(['delayed'], 0, 9)).map(({ id }) => id)).toEqual(first.map(({ id }) => id))
      await lane.every('tick', 7_200_000, { n: 3 })
      const [changed, ...others] = await lane.list(['delayed'], 0, 9)
      expect(others).toEqual([])
      expect(changed).toMatchObject({ data: { n: 3 } })
      expect(changed?.id).not.toBe(first[0]?.id)
    })
  })
}
