// Scheduled jobs.
import type { Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, noting, queuesOf } from './test-queues.ts'

export function queueSchedulesSuite(open: () => Queues): void {
  const { test, worked } = queuesOf(open)

  describe('a schedule', () => {
    test('runs again and again, once for all processes, until it ends', async ({ queue }) => {
      const ran: Data[] = []
      await Promise.all([1, 2, 3].map(() => queue.schedule('tick', 50, { n: 1 })))
      // The first job may be due already.
      const { waiting, delayed } = await queue.counts()
      expect(waiting + delayed).toBe(1)
      await worked(queue, noting(ran), async () => {
        await eventually(() => expect(ran.length).toBeGreaterThan(2))
        expect(ran.every((data) => 'n' in data && data.n === 1)).toBe(true)
        await queue.schedule('tick', 0, { n: 1 })
        await queue.settled()
      })
      expect(await queue.counts()).toMatchObject({ waiting: 0, delayed: 0 })
    })

    test('set again continues unchanged; another period starts anew', async ({ queue }) => {
      await queue.schedule('tick', 3_600_000, { n: 1 })
      const first = await queue.list(['delayed'], 0, 9)
      await queue.schedule('tick', 3_600_000, { n: 2 })
      expect((await queue.list(['delayed'], 0, 9)).map(({ id }) => id)).toEqual(first.map(({ id }) => id))
      await queue.schedule('tick', 7_200_000, { n: 3 })
      const [changed, ...others] = await queue.list(['delayed'], 0, 9)
      expect(others).toEqual([])
      expect(changed).toMatchObject({ data: { n: 3 } })
      expect(changed?.id).not.toBe(first[0]?.id)
    })
  })
}
