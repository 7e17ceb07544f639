// Adding jobs: once per id, data as given, delays, priorities, and waking a worker.
import { QueueNotSettled } from '../../../src/queue/errors.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, noting, queuesOf } from './test-queues.ts'

export function queueAddingSuite(open: () => Queues): void {
  const { fresh, test, worked } = queuesOf(open)

  describe('adding', () => {
    test('a job added twice under one id runs once', async ({ queue }) => {
      const ran: Data[] = []
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, n) => queue.add({ id: 'delivery-a', data: { n } })),
      )
      expect(added.filter((answer) => answer.added)).toHaveLength(1)
      await worked(queue, noting(ran))
      expect(await queue.add({ id: 'delivery-a', data: { n: 99 } })).toEqual({ id: 'delivery-a', added: false })
      expect(ran).toHaveLength(1)
      expect((await queue.counts()).completed).toBe(1)
    })

    test('data is read as it was given, also characters that PostgreSQL refuses', async ({ queue }) => {
      const hostile: Data[] = [
        { text: 'a\0b' },
        { text: '\ud800 alone' },
        { text: '\\u0000 "\'\n' },
        { text: 'é😀'.repeat(100_000) },
      ]
      for (const [at, data] of hostile.entries()) await queue.add({ id: `hostile-${at}`, data })
      const got: Data[] = []
      await worked(queue, noting(got), undefined, { concurrency: 1 })
      expect(new Set(got)).toEqual(new Set(hostile))
      expect(got).toHaveLength(hostile.length)
      expect((await queue.get('hostile-0'))?.data).toEqual(hostile[0])
    })

    test('a delayed job waits; a queue with a job that is due much later counts as settled', async ({ queue }) => {
      const { id } = await queue.add({ data: { n: 1 }, delayMs: 3_600_000 })
      await queue.settled()
      expect((await queue.get(id))?.state).toBe('delayed')
      await expect(queue.settled({ withinMs: 7_200_000, timeoutMs: 50 })).rejects.toThrow(QueueNotSettled)
    })

    test('a lower priority number runs first, no priority before all', async ({ queue }) => {
      await queue.add({ data: { n: 3 }, priority: 30 })
      await queue.add({ data: { n: 2 }, priority: 20 })
      await queue.add({ data: { n: 1 } })
      const ran: Data[] = []
      await worked(queue, noting(ran), undefined, { concurrency: 1 })
      expect(ran).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }])
    })

    test('ids that BullMQ refuses are a TypeError', async () => {
      for (const id of ['a:b', '12', '']) await expect(fresh().add({ id, data: { n: 1 } })).rejects.toThrow(TypeError)
    })

    test('an add wakes an idle worker at once', async ({ queue }) => {
      const ran: Data[] = []
      await worked(queue, noting(ran), async () => {
        await queue.add({ data: { n: 0 } })
        await queue.settled()
        const took: number[] = []
        for (let n = 1; n <= 5; n += 1) {
          // The worker is idle once it has asked and found nothing.
          await new Promise((resolve) => setTimeout(resolve, 50))
          const from = performance.now()
          await queue.add({ data: { n } })
          await eventually(() => expect(ran).toHaveLength(n + 1))
          took.push(performance.now() - from)
        }
        // Its next look would be after 5 s.
        expect(Math.min(...took)).toBeLessThan(4_000)
      })
    })
  })
}
