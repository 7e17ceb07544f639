// Which run of a job is its first: never one after it has failed, waited, was put back or given back.
import { describe, expect, test } from 'vitest'
import type { JobHandler, Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, gate, lanesOf } from './queue-lanes.ts'

export function queueFirstRunSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('the first run of a job', () => {
    test('only its first run is told that it is the first, whatever it said and whoever put it back', async () => {
      const lane = fresh()
      const first: boolean[] = []
      const says = ['throw', 'later', 'pause', 'failed', 'done'] as const
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        const outcome = says[first.length - 1] ?? 'done'
        if (outcome === 'throw') throw new Error('not yet')
        return outcome === 'done' ? { outcome } : { outcome, delayMs: 1, reason: 'not yet' }
      }
      const until = (state: string) => eventually(async () => expect((await lane.get(id))?.state).toBe(state))
      await worked(lane, handler, () => until('failed'))
      await lane.retry(id)
      await worked(lane, handler, () => until('completed'))
      expect(first).toEqual([true, false, false, false, false])
    })

    test.each(['later', 'pause'] as const)('a job that said %s in its first run is not in its first run again', async (outcome) => {
      const lane = fresh()
      const first: boolean[] = []
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        return first.length < 3 ? { outcome, delayMs: 1, reason: 'not yet' } : { outcome: 'done' }
      }
      await worked(lane, handler, () => eventually(async () => expect((await lane.get(id))?.state).toBe('completed')))
      expect(first).toEqual([true, false, false])
    })

    test('a job that was given up in its first run and put back is not in its first run again', async () => {
      const lane = fresh()
      const first: boolean[] = []
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        return isFirst ? { outcome: 'failed', reason: 'never' } : { outcome: 'done' }
      }
      const until = (state: string) => eventually(async () => expect((await lane.get(id))?.state).toBe(state))
      await worked(lane, handler, () => until('failed'))
      await lane.retry(id)
      await worked(lane, handler, () => until('completed'))
      expect(first).toEqual([true, false])
    })

    test('a job that a worker gave back when it stopped is not in its first run again', async () => {
      const lane = fresh()
      const first: boolean[] = []
      const [begun, goesOn] = [gate(), gate()]
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        begun.open()
        if (isFirst) await goesOn.opened
        return { outcome: 'done' }
      }
      const worker = open().work(lane.name, handler, { concurrency: 1, onError: () => undefined })
      await begun.opened
      await worker.stop(10)
      await worked(lane, handler, () => eventually(async () => expect((await lane.get(id))?.state).toBe('completed')))
      goesOn.open()
      expect(first).toEqual([true, false])
    })
  })
}
