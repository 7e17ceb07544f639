// What every queue does, whatever store it is kept in.
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { JobNotRetryable, LaneNotSettled } from '../../src/queue/errors.ts'
import { fairLane } from '../../src/queue/fair-lane.ts'
import type { JobHandler, Lane, Queue, WorkerOptions } from '../../src/queue/types.ts'

/** Waits for a fact; the time is only the limit after which it will not come true any more. */
export function eventually<T>(fact: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(fact, { timeout: 20_000, interval: 10 })
}

/** Something that a test opens when it wants a handler to go on. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A handler that writes down what it gets. */
export function noting<T>(list: T[]): JobHandler<T> {
  return async ({ data }) => {
    list.push(data)
    return { outcome: 'done' }
  }
}

type Data = { n: number } | { text: string }

export function queueSuite(open: () => Queue): void {
  const fresh = (): Lane<Data> => open().lane<Data>(`lane-${randomUUID()}`)

  /** Works the lane for as long as `during` takes. */
  async function worked(lane: Lane<Data>, handler: JobHandler<Data>, during: () => Promise<void>, options: Partial<WorkerOptions> = {}) {
    const worker = open().work<Data>(lane.name, handler, { concurrency: 4, backoffMs: 5, onError: () => undefined, ...options })
    try {
      await during()
    } finally {
      await worker.stop(2_000)
    }
  }

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

  describe('looking and stopping', () => {
    test('lists newest first, page by page, and removes', async () => {
      const lane = fresh()
      const ids: string[] = []
      for (const n of [1, 2, 3]) {
        ids.push((await lane.add({ data: { n } })).id)
        const before = Date.now()
        await eventually(() => expect(Date.now()).toBeGreaterThan(before))
      }
      expect((await lane.list(['waiting'], 0, 2)).map((job) => job.id)).toEqual([ids[2], ids[1]])
      expect((await lane.list(['waiting', 'failed'], 2, 2)).map((job) => job.id)).toEqual([ids[0]])
      await lane.remove(ids[0] ?? '')
      expect(await lane.get(ids[0] ?? '')).toBeUndefined()
      expect((await lane.counts()).waiting).toBe(2)
    })

    test('sheds what ended long ago: the completed go, the failed get lighter and can still be retried', async () => {
      const lane = fresh()
      const ids: string[] = []
      for (const n of Array.from({ length: 12 }, (_, at) => at)) ids.push((await lane.add({ data: { n } })).id)
      const isOdd = (data: Data) => 'n' in data && data.n % 2 === 1
      const handler: JobHandler<Data> = async ({ data }) => (isOdd(data) ? { outcome: 'failed', reason: 'odd' } : { outcome: 'done' })
      await worked(lane, handler, () => lane.settled())
      const lighter = (data: Data) => ('n' in data && data.n > 1 ? { text: `lighter ${data.n}` } : undefined)
      await lane.shed(60_000, lighter)
      expect(await lane.counts()).toMatchObject({ completed: 6, failed: 6 })
      expect((await lane.get(ids[3] ?? ''))?.data).toEqual({ n: 3 })
      await eventually(async () => {
        await lane.shed(1, lighter)
        expect(await lane.counts()).toMatchObject({ completed: 0, failed: 6 })
        const data = (await lane.list(['failed'], 0, 10)).map((job) => job.data)
        expect(new Set(data)).toEqual(new Set([{ n: 1 }, ...[3, 5, 7, 9, 11].map((n) => ({ text: `lighter ${n}` }))]))
      })
      await lane.retry(ids[3] ?? '')
      const ran: Data[] = []
      await worked(lane, noting(ran), () => lane.settled())
      expect(ran).toEqual([{ text: 'lighter 3' }])
    })

    test('a delayed job that is promoted runs at once; any other is refused', async () => {
      const lane = fresh()
      const { id } = await lane.add({ data: { n: 1 }, delayMs: 3_600_000 })
      await expect(lane.promote('unknown')).rejects.toThrow(JobNotRetryable)
      await lane.promote(id)
      await expect(lane.promote(id)).rejects.toThrow(JobNotRetryable)
      const ran: Data[] = []
      await worked(lane, noting(ran), () => lane.settled())
      expect(ran).toEqual([{ n: 1 }])
    })

    test('a paused lane runs nothing, keeps counting what waits, and goes on when resumed', async () => {
      const lane = fresh()
      let runs = 0
      expect(await lane.isPaused()).toBe(false)
      await lane.pause()
      expect(await lane.isPaused()).toBe(true)
      await worked(
        lane,
        async () => {
          runs += 1
          return { outcome: 'done' }
        },
        async () => {
          await lane.add({ data: { n: 1 } })
          await expect(lane.settled({ timeoutMs: 100 })).rejects.toThrow(LaneNotSettled)
          expect(runs).toBe(0)
          expect((await lane.counts()).waiting).toBe(1)
          await lane.resume()
          await lane.settled()
        },
      )
      expect(runs).toBe(1)
    })

    test('the backlog is what waits in any way, with its bytes', async () => {
      const lane = fresh()
      // Such as hardly any store can pack.
      const text = randomBytes(30_000).toString('base64')
      const failing = async () => {
        await lane.add({ data: { text } })
        await eventually(async () => expect((await lane.counts()).delayed).toBe(1))
      }
      const never: JobHandler<Data> = async () => {
        throw new Error('tried again in an hour')
      }
      await worked(lane, never, failing, { backoffMs: 3_600_000 })
      await lane.add({ data: { text } })
      await lane.add({ data: { text }, priority: 7 })
      await lane.pause()
      await lane.add({ data: { text }, delayMs: 3_600_000 })
      await lane.add({ data: { text } })
      const { jobs, bytes } = await lane.backlog()
      expect(jobs).toBe(5)
      expect(bytes / 5).toBeGreaterThan(28_000)
      expect(bytes / 5).toBeLessThan(42_000)
      await lane.resume()
      await worked(lane, noting<Data>([]), () => lane.settled())
      expect((await lane.backlog()).jobs).toBe(2)
    })

    test('settled waits for what a job adds', async () => {
      const lane = fresh()
      const ran: number[] = []
      const handler: JobHandler<Data> = async ({ data }) => {
        const n = 'n' in data ? data.n : 0
        ran.push(n)
        if (n < 10) await lane.add({ data: { n: n + 1 }, ...(n % 2 === 0 ? { delayMs: 10 } : {}) })
        return { outcome: 'done' }
      }
      await worked(lane, handler, async () => {
        await lane.add({ data: { n: 1 } })
        await lane.settled()
      })
      expect(ran).toHaveLength(10)
    })

    test('stop waits for what runs, and releases what takes too long', async () => {
      const lane = fresh()
      const never = gate()
      const started = gate()
      const ran: string[] = []
      const worker = open().work<Data>(
        lane.name,
        async ({ id }) => {
          started.open()
          await never.opened
          ran.push(`late ${id}`)
          return { outcome: 'done' }
        },
        {
          concurrency: 1,
          onError: () => undefined,
        },
      )
      const { id } = await lane.add({ data: { n: 1 } })
      await started.opened
      await worker.stop(50)
      await worked(
        lane,
        async (job) => {
          ran.push(job.id)
          return { outcome: 'done' }
        },
        async () => {
          await eventually(() => expect(ran).toEqual([id]))
          await lane.settled()
        },
      )
      never.open()
    })

    test('it says how full its store is, as far as that has limits', async () => {
      const bytes = expect.any(Number)
      // A Redis without a limit of its own ends with the memory of its machine.
      const ofKind = { embedded: { freeDisk: bytes }, redis: { memory: { used: bytes, limit: bytes } }, postgres: {} }
      const space = await open().space()
      expect(space).toEqual(ofKind[open().kind])
      if (space.memory !== undefined) expect(space.memory.limit).toBeGreaterThan(space.memory.used)
    })

    test('ping answers', async () => {
      await open().ping()
    })
  })
}
