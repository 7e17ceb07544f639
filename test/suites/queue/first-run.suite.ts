// Which run of a job is its first: none after it has failed, waited, or was given back.
import { describe, expect, test } from 'vitest'
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, gate, queuesOf } from './test-queues.ts'

export function queueFirstRunSuite(open: () => Queues): void {
  const { fresh, worked } = queuesOf(open)

  describe('the first run of a job', () => {
    type Says = 'throw' | 'later' | 'pause' | 'failed' | 'done'

    /** What each of the runs was told that say this, one after the other; a job that failed is put back. */
    async function toldOf(says: readonly Says[]): Promise<boolean[]> {
      const queue = fresh()
      const first: boolean[] = []
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        const outcome = says[first.length - 1] ?? 'done'
        if (outcome === 'throw') throw new Error('not yet')
        return outcome === 'done' ? { outcome } : { outcome, delayMs: 1, reason: 'not yet' }
      }
      const until = (state: string) =>
        worked(queue, handler, () => eventually(async () => expect((await queue.get(id))?.state).toBe(state)))
      if (says.includes('failed')) {
        await until('failed')
        await queue.retry(id)
      }
      await until('completed')
      return first
    }

    test.each<Says[][]>([
      [['throw', 'later', 'pause', 'failed', 'done']],
      [['throw', 'done']],
      [['later', 'later', 'done']],
      [['pause', 'pause', 'done']],
      [['failed', 'done']],
    ])('only the first of the runs that say %s is told so', async (says) => {
      expect(await toldOf(says)).toEqual(says.map((_, index) => index === 0))
    })

    test('a job that a stopping worker gave back is not in its first run again', async () => {
      const queue = fresh()
      const first: boolean[] = []
      const [begun, goesOn] = [gate(), gate()]
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        begun.open()
        if (isFirst) await goesOn.opened
        return { outcome: 'done' }
      }
      const worker = open().work(queue.name, handler, { concurrency: 1, onError: () => undefined })
      await begun.opened
      await worker.stop(10)
      await worked(queue, handler, () => eventually(async () => expect((await queue.get(id))?.state).toBe('completed')))
      goesOn.open()
      expect(first).toEqual([true, false])
    })
  })
}
