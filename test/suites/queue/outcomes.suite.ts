// What each result of a handler does to its job, and retries of failed jobs.
import { Queue } from 'bullmq'
import { JobNotRetryable } from '../../../src/queue/errors.ts'
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, gate, noting, queuesOf } from './test-queues.ts'

export function queueOutcomesSuite(open: () => Queues): void {
  const { fresh, test, worked } = queuesOf(open)

  describe('a handler', () => {
    test('that throws is tried as often as the worker allows; a retry has all attempts again', async ({ queue }) => {
      const reported: string[] = []
      let runs = 0
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = ({ attempt }) => {
        runs += 1
        return Promise.reject(new Error(`bad \0 \ud800 ${attempt}`))
      }
      await worked(queue, handler, undefined, {
        attempts: 3,
        onError: (error, job) => reported.push(`${job} ${error.message.at(-1)}`),
      })
      expect(runs).toBe(3)
      expect(reported).toEqual([`${id} 1`, `${id} 2`, `${id} 3`])
      expect(await queue.get(id)).toMatchObject({
        state: 'failed',
        attempts: 3,
        failure: expect.stringContaining('bad'),
      })
      // A retry has all attempts again.
      await queue.retry(id)
      await worked(queue, handler, undefined, { attempts: 3 })
      expect(runs).toBe(6)
    })

    test('a job that always fails does not hold up the others', async ({ queue }) => {
      const ran: Data[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        if ('text' in data) throw new Error('poison')
        ran.push(data)
        return { outcome: 'done' }
      }
      const { id } = await queue.add({ data: { text: 'poison' } })
      const others = Array.from({ length: 30 }, (_, n) => ({ n }))
      for (const data of others) await queue.add({ data })
      await worked(queue, handler, undefined, { concurrency: 1, attempts: 4 })
      expect(ran).toEqual(others)
      expect(await queue.get(id)).toMatchObject({ state: 'failed', attempts: 4, failure: 'poison' })
    })

    test('a clock that jumps runs due jobs once each, and a jump back stops no job', async ({ queue }) => {
      const ran: Data[] = []
      const delayed = Array.from({ length: 10 }, (_, n) => n)
      for (const n of delayed) await queue.add({ data: { n }, delayMs: 3_600_000 + n })
      let jumpMs = 0
      const real = Date.now.bind(Date)
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + jumpMs)
      try {
        await worked(queue, noting(ran), async () => {
          jumpMs = 2 * 3_600_000
          await queue.add({ data: { n: 100 } })
          await eventually(() => expect(ran).toHaveLength(delayed.length + 1))
          jumpMs = -2 * 3_600_000
          await queue.add({ data: { n: 101 } })
          await eventually(() => expect(ran).toContainEqual({ n: 101 }))
        })
      } finally {
        clock.mockRestore()
      }
      const numbers = ran.map((data) => ('n' in data ? data.n : -1))
      expect(numbers.toSorted((a, b) => a - b)).toEqual([...delayed, 100, 101])
    })

    test('a queue is not settled while a job alternates between runs and short waits', async ({ queue }) => {
      let runs = 0
      await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        runs += 1
        return runs < 40 ? { outcome: 'later', delayMs: 1, reason: 'checking' } : { outcome: 'done' }
      }
      await worked(queue, handler, async () => {
        const seen = await Promise.all(Array.from({ length: 10 }, () => queue.settled().then(() => runs)))
        expect(new Set(seen)).toEqual(new Set([40]))
      })
    })

    test('a job that waits says why, and about when it runs', async ({ queue }) => {
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => ({ outcome: 'later', delayMs: 600_000, reason: 'checking \0' })
      const begun = Date.now()
      await worked(queue, handler, async () => {
        await eventually(async () => expect((await queue.get(id))?.state).toBe('delayed'))
      })
      const { failure, runsAt = 0 } = (await queue.get(id)) ?? {}
      expect(failure).toMatch(/^checking/)
      expect(runsAt).toBeGreaterThan(begun + 599_000)
    })

    test.each(['later', 'pause'] as const)(
      'a run that ends with %s leaves the count of attempts as it is',
      async (outcome) => {
        const queue = fresh()
        const attempts: number[] = []
        const { id } = await queue.add({ data: { n: 1 } })
        const handler: JobHandler<Data> = async ({ attempt }) => {
          attempts.push(attempt)
          if (attempts.length % 2 === 0) return { outcome, delayMs: 4.5, reason: 'not yet' }
          throw new Error('each time')
        }
        await worked(queue, handler, undefined, { attempts: 3 })
        expect(attempts).toEqual([1, 2, 2, 3, 3])
        expect((await queue.get(id))?.state).toBe('failed')
      },
    )

    test('pause stops the whole queue for a time and costs no attempt', async ({ queue }) => {
      const ran: { at: number; attempt: number }[] = []
      const pauseMs = 400
      for (const n of [1, 2, 3, 4]) await queue.add({ data: { n } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        ran.push({ at: Date.now(), attempt })
        return ran.length === 1 ? { outcome: 'pause', delayMs: pauseMs, reason: 'rate limit' } : { outcome: 'done' }
      }
      await worked(queue, handler, undefined, { concurrency: 1 })
      expect(ran.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1])
      const [first, ...others] = ran.map(({ at }) => at)
      // The store counts the pause in whole milliseconds of its own clock.
      for (const at of others) expect(at - (first ?? 0)).toBeGreaterThanOrEqual(pauseMs - 20)
    })

    test('a pause that the store does not take costs no attempt: the job itself waits for that time', async () => {
      const queue = fresh()
      const ran: { at: number; attempt: number }[] = []
      const reported: string[] = []
      const pauseMs = 400
      await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        ran.push({ at: Date.now(), attempt })
        return ran.length === 1 ? { outcome: 'pause', delayMs: pauseMs, reason: 'rate limit' } : { outcome: 'done' }
      }
      const pausing = vi.spyOn(Queue.prototype, 'rateLimit').mockRejectedValue(new Error('Command timed out'))
      try {
        const onError = ({ message }: Error) => reported.push(message)
        await worked(queue, handler, undefined, { concurrency: 1, onError })
      } finally {
        pausing.mockRestore()
      }
      expect(ran.map(({ attempt }) => attempt)).toEqual([1, 1])
      expect((ran[1]?.at ?? 0) - (ran[0]?.at ?? 0)).toBeGreaterThanOrEqual(pauseMs - 20)
      expect(reported).toEqual(['Command timed out'])
    })

    test('a pause that begins during a stop does not delay the stop', async ({ queue }) => {
      const [begun, stopping] = [gate(), gate()]
      const pauseMs = 12_000
      await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        begun.open()
        await stopping.opened
        return { outcome: 'pause', delayMs: pauseMs, reason: 'the service is away' }
      }
      const worker = open().work(queue.name, handler, { concurrency: 1, onError: () => undefined })
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

    test('pauseFor stops all workers, and a shorter pause does not end a longer one', async ({ queue }) => {
      const ran: number[] = []
      const restMs = 400
      const from = Date.now()
      await queue.pauseFor(restMs)
      await queue.pauseFor(1)
      await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        ran.push(Date.now() - from)
        return { outcome: 'done' }
      }
      await worked(queue, handler, undefined, { concurrency: 1 })
      expect(ran).toHaveLength(1)
      expect(ran[0]).toBeGreaterThanOrEqual(restMs - 20)
    })

    test('failed fails the job at once, and it can be retried', async ({ queue }) => {
      const attempts: number[] = []
      const reported: unknown[] = []
      const { id } = await queue.add({ id: 'delivery-a', data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        return attempts.length === 1 ? { outcome: 'failed', reason: 'the token is \0 gone' } : { outcome: 'done' }
      }
      await worked(
        queue,
        handler,
        async () => {
          await queue.settled()
          expect(await queue.get(id)).toMatchObject({
            state: 'failed',
            failure: expect.stringContaining('the token is'),
          })
          await queue.retry(id)
          await queue.settled()
          expect((await queue.get(id))?.state).toBe('completed')
          await expect(queue.retry(id)).rejects.toThrow(JobNotRetryable)
        },
        { onError: (error) => reported.push(error) },
      )
      expect(attempts).toEqual([1, 1])
      expect(reported).toEqual([])
    })

    test('a failed job that many retry at once runs once, and the other retries are refused', async ({ queue }) => {
      let runs = 0
      const handler: JobHandler<Data> = async () => {
        runs += 1
        return runs === 1 ? { outcome: 'failed', reason: 'broken' } : { outcome: 'done' }
      }
      const { id } = await queue.add({ id: 'delivery-a', data: { n: 1 } })
      await worked(queue, handler)
      const tries = await Promise.allSettled(Array.from({ length: 10 }, () => queue.retry(id)))
      const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      expect(refused).toEqual(Array.from({ length: 9 }, () => expect.any(JobNotRetryable)))
      await worked(queue, handler)
      expect(runs).toBe(2)
    })

    test('a retried job does not run at the same time as another of its key', async ({ queue }) => {
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
      await worked(queue, handler, async () => {
        const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
        await eventually(async () => expect((await queue.counts()).failed).toBe(1))
        await queue.add({ data: { n: 2 }, deduplicationKey: 'mr-1' })
        await eventually(() => expect(ran).toHaveLength(2))
        await queue.retry(id)
        free.open()
        await queue.settled()
      })
      expect(ran).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }])
      expect(most).toBe(1)
      expect((await queue.counts()).failed).toBe(0)
    })
  })
}
