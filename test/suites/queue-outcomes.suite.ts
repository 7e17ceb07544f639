// What becomes of a job by what its handler says: attempts, later, pause, failed; and failed jobs that are put back.
import { describe, expect, test, vi } from 'vitest'
import { JobNotRetryable } from '../../src/queue/errors.ts'
import type { JobHandler, Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, gate, lanesOf } from './queue-lanes.ts'

export function queueOutcomesSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('what a handler says', () => {
    test('a throw is tried again, so often as the worker says, and then the job has failed', async () => {
      const lane = fresh()
      const told: string[] = []
      let runs = 0
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        runs += 1
        throw new Error(`bad \0 \ud800 ${attempt}`)
      }
      await worked(lane, handler, () => lane.settled(), {
        attempts: 3,
        onError: (error, job) => told.push(`${job} ${error.message.at(-1)}`),
      })
      expect(runs).toBe(3)
      expect(told).toEqual([`${id} 1`, `${id} 2`, `${id} 3`])
      expect(await lane.get(id)).toMatchObject({ state: 'failed', attempts: 3, failure: expect.stringContaining('bad') })
      // Put back in line, it has all its attempts again.
      await lane.retry(id)
      await worked(lane, handler, () => lane.settled(), { attempts: 3 })
      expect(runs).toBe(6)
    })

    test('a job that always fails ends among the failed, and the others flow past it', async () => {
      const lane = fresh()
      const ran: Data[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        if ('text' in data) throw new Error('poison')
        ran.push(data)
        return { outcome: 'done' }
      }
      const { id } = await lane.add({ data: { text: 'poison' } })
      const others = Array.from({ length: 30 }, (_, n) => ({ n }))
      for (const data of others) await lane.add({ data })
      await worked(lane, handler, () => lane.settled(), { concurrency: 1, attempts: 4 })
      expect(ran).toEqual(others)
      expect(await lane.get(id)).toMatchObject({ state: 'failed', attempts: 4, failure: 'poison' })
    })

    test('a clock that jumps runs what is due by it, each job once, and a jump back keeps nothing from running', async () => {
      const lane = fresh()
      const ran: number[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        if ('n' in data) ran.push(data.n)
        return { outcome: 'done' }
      }
      const delayed = Array.from({ length: 50 }, (_, n) => n)
      for (const n of delayed) await lane.add({ data: { n }, delayMs: 3_600_000 + n })
      let jumpMs = 0
      const real = Date.now.bind(Date)
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + jumpMs)
      try {
        await worked(lane, handler, async () => {
          jumpMs = 2 * 3_600_000
          await lane.add({ data: { n: 100 } })
          await eventually(() => expect(ran).toHaveLength(delayed.length + 1))
          jumpMs = -2 * 3_600_000
          await lane.add({ data: { n: 101 } })
          await eventually(() => expect(ran).toContain(101))
        })
      } finally {
        clock.mockRestore()
      }
      expect(ran.toSorted((a, b) => a - b)).toEqual([...delayed, 100, 101])
    })

    test('later costs no attempt', async () => {
      const lane = fresh()
      const attempts: number[] = []
      await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        return attempts.length < 4 ? { outcome: 'later', delayMs: 5, reason: 'checking' } : { outcome: 'done' }
      }
      await worked(lane, handler, () => lane.settled(), { attempts: 2 })
      expect(attempts).toEqual([1, 1, 1, 1])
    })

    test('a lane is not settled while a job goes back and forth between a run and a short wait', async () => {
      const lane = fresh()
      let runs = 0
      await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        runs += 1
        return runs < 40 ? { outcome: 'later', delayMs: 1, reason: 'checking' } : { outcome: 'done' }
      }
      await worked(lane, handler, async () => {
        // Many look, at all moments.
        const seen = await Promise.all(Array.from({ length: 10 }, () => lane.settled().then(() => runs)))
        expect(new Set(seen)).toEqual(new Set([40]))
      })
    })

    test('attempts are counted on after a run that ended with later and keeps them', async () => {
      const lane = fresh()
      const attempts: number[] = []
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length % 2 === 0) return { outcome: 'later', delayMs: 5, reason: 'not yet', keepsTries: true }
        throw new Error('each time')
      }
      await worked(lane, handler, () => lane.settled(), { attempts: 3 })
      expect(attempts).toEqual([1, 2, 2, 3, 3])
      expect((await lane.get(id))?.state).toBe('failed')
    })

    test.each(['later', 'pause'] as const)('attempts are counted anew after a run that ended with %s', async (outcome) => {
      const lane = fresh()
      const attempts: number[] = []
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length === 9) return { outcome: 'done' }
        if (attempts.length % 3 === 0) return { outcome, delayMs: 5, reason: 'not yet' }
        throw new Error('once in a while')
      }
      await worked(lane, handler, () => lane.settled(), { attempts: 4 })
      expect(attempts).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
      expect((await lane.get(id))?.state).toBe('completed')
    })

    test('pause stops the whole lane, costs no attempt, and ends by itself', async () => {
      const lane = fresh()
      const ran: { at: number; attempt: number }[] = []
      const pauseMs = 400
      for (const n of [1, 2, 3, 4]) await lane.add({ data: { n } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        ran.push({ at: Date.now(), attempt })
        return ran.length === 1 ? { outcome: 'pause', delayMs: pauseMs, reason: 'rate limit' } : { outcome: 'done' }
      }
      await worked(lane, handler, () => lane.settled(), { concurrency: 1 })
      expect(ran.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1])
      const [first, ...others] = ran.map(({ at }) => at)
      // The store counts the pause in whole milliseconds of its own clock.
      for (const at of others) expect(at - (first ?? 0)).toBeGreaterThanOrEqual(pauseMs - 20)
    })

    test('a pause that a job asks for while its worker stops does not hold up the stop', async () => {
      const lane = fresh()
      const [begun, stopping] = [gate(), gate()]
      const pauseMs = 12_000
      await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        begun.open()
        await stopping.opened
        return { outcome: 'pause', delayMs: pauseMs, reason: 'the service is away' }
      }
      const worker = open().work(lane.name, handler, { concurrency: 1, onError: () => undefined })
      await begun.opened
      const stopped = worker.stop(60_000)
      stopping.open()
      let pauseIsOver: NodeJS.Timeout | undefined
      const first = await Promise.race([
        stopped.then(() => 'stopped'),
        new Promise((resolve) => {
          pauseIsOver = setTimeout(resolve, pauseMs, 'the pause is over')
        }),
      ])
      clearTimeout(pauseIsOver)
      await stopped
      expect(first).toBe('stopped')
    })

    test('a rest stops the lane for its workers, and a shorter one does not end it', async () => {
      const lane = fresh()
      const ran: number[] = []
      const restMs = 400
      const from = Date.now()
      await lane.rest(restMs)
      await lane.rest(1)
      await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        ran.push(Date.now() - from)
        return { outcome: 'done' }
      }
      await worked(lane, handler, () => lane.settled(), { concurrency: 1 })
      expect(ran).toHaveLength(1)
      expect(ran[0]).toBeGreaterThanOrEqual(restMs - 20)
    })

    test('an unrecoverable job is failed at once and can be retried', async () => {
      const lane = fresh()
      const attempts: number[] = []
      const told: unknown[] = []
      const { id } = await lane.add({ id: 'delivery-a', data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        return attempts.length === 1 ? { outcome: 'failed', reason: 'the token is \0 gone' } : { outcome: 'done' }
      }
      await worked(
        lane,
        handler,
        async () => {
          await lane.settled()
          expect(await lane.get(id)).toMatchObject({ state: 'failed', failure: expect.stringContaining('the token is') })
          await lane.retry(id)
          await lane.settled()
          expect((await lane.get(id))?.state).toBe('completed')
          await expect(lane.retry(id)).rejects.toThrow(JobNotRetryable)
        },
        { onError: (error) => told.push(error) },
      )
      expect(attempts).toEqual([1, 1])
      expect(told).toEqual([])
    })

    test('a failed job that many put back at once runs once more, and the others hear that it is put back already', async () => {
      const lane = fresh()
      let runs = 0
      const handler: JobHandler<Data> = async () => {
        runs += 1
        return runs === 1 ? { outcome: 'failed', reason: 'broken' } : { outcome: 'done' }
      }
      const { id } = await lane.add({ id: 'delivery-a', data: { n: 1 } })
      await worked(lane, handler, () => lane.settled())
      const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lane.retry(id)))
      const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      expect(refused).toEqual(Array.from({ length: 9 }, () => expect.any(JobNotRetryable)))
      await worked(lane, handler, () => lane.settled())
      expect(runs).toBe(2)
    })

    test('a retried job of a key does not run beside another of that key', async () => {
      const lane = fresh()
      const free = gate()
      const ran: Data[] = []
      let atOnce = 0
      let most = 0
      const handler: JobHandler<Data> = async ({ data }) => {
        ran.push(data)
        if (ran.length === 1) return { outcome: 'failed', reason: 'broken' }
        most = Math.max(most, ++atOnce)
        await free.opened
        atOnce -= 1
        return { outcome: 'done' }
      }
      await worked(lane, handler, async () => {
        const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
        await eventually(async () => expect((await lane.counts()).failed).toBe(1))
        await lane.add({ data: { n: 2 }, oneAtATime: 'mr-1' })
        await eventually(() => expect(ran).toHaveLength(2))
        await lane.retry(id)
        free.open()
        await lane.settled()
      })
      expect(ran).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }])
      expect(most).toBe(1)
      expect((await lane.counts()).failed).toBe(0)
    })
  })
}
