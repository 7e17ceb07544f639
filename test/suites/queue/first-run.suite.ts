// Which run of a job is its first.
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { type Data, gate, queuesOf, reaches } from './test-queues.ts'

export function queueFirstRunSuite(open: () => Queues): void {
  const { fresh, test, worked } = queuesOf(open)

  describe('the first run of a job', () => {
    type Outcome = 'throw' | 'later' | 'pause' | 'failed' | 'done'

    /** `isFirst` of the runs that end so, one after the other; a failed job is retried. */
    async function firstOf(outcomes: readonly Outcome[]): Promise<boolean[]> {
      const queue = fresh()
      const first: boolean[] = []
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        const outcome = outcomes[first.length - 1] ?? 'done'
        if (outcome === 'throw') throw new Error('not yet')
        return outcome === 'done' ? { outcome } : { outcome, delayMs: 1, reason: 'not yet' }
      }
      const until = (state: 'failed' | 'completed') => worked(queue, handler, () => reaches(queue, id, state))
      if (outcomes.includes('failed')) {
        await until('failed')
        await queue.retry(id)
      }
      await until('completed')
      return first
    }

    test.each<Outcome[][]>([
      [['throw', 'later', 'pause', 'failed', 'done']],
      [['later', 'later', 'done']],
      [['pause', 'pause', 'done']],
    ])('is the first of those that end with %s', async (outcomes) => {
      expect(await firstOf(outcomes)).toEqual(outcomes.map((_, index) => index === 0))
    })

    test('is not the one after a stopping worker gave the job back', async ({ queue }) => {
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
      await worked(queue, handler, () => reaches(queue, id, 'completed'))
      goesOn.open()
      expect(first).toEqual([true, false])
    })
  })
}
