// Jobs whose process ends or freezes while it runs them: how often that may be, and when it is counted anew.
import { describe, expect, test } from 'vitest'
import type { JobHandler, Lane, Queue, StoredJob } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, gate, lanesOf } from './queue-lanes.ts'

export function queueStalledSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  /** The job is nobody's any more, and the next process that starts will find that: as when this one stood still, or ended, a minute ago. */
  async function losesItsJob(lane: string, id: string): Promise<void> {
    const { store } = open()
    if (store.kind === 'redis') {
      const key = (name: string) => `${store.prefix}:${lane}:${name}`
      await store.redis
        .multi()
        .del(key(`${id}:lock`))
        .sadd(key('stalled'), id)
        .del(key('stalled-check'))
        .exec()
    } else {
      const lost = 'lock_token = NULL, locked_until_ms = 0, stalled_marked = true'
      await store.pool.query(`UPDATE bullmq.job SET ${lost} WHERE queue = $1 AND id = $2`, [lane, id])
      await store.pool.query(`DELETE FROM bullmq.meta WHERE queue = $1 AND field = 'stalled-check'`, [lane])
    }
  }

  /** As a process takes it that ends before it has begun with it. */
  async function isTaken(lane: string, id: string): Promise<void> {
    const { store } = open()
    if (store.kind === 'redis') {
      const key = (name: string) => `${store.prefix}:${lane}:${name}`
      await store.redis.multi().lrem(key('wait'), 0, id).lrem(key('paused'), 0, id).lpush(key('active'), id).exec()
    } else await store.pool.query(`UPDATE bullmq.job SET state = 'active' WHERE queue = $1 AND id = $2`, [lane, id])
  }

  /** One process after the other works the lane: each freezes in its run, as often in a row as the turns say, or says what comes next. */
  function processes(lane: Lane<Data>, turns: (number | 'later' | 'pause' | 'throw' | 'done')[]) {
    const runs = turns.flatMap((turn) => (typeof turn === 'number' ? Array.from({ length: turn }, () => 'freezes' as const) : [turn]))
    const ran: string[] = []
    const handler: JobHandler<Data> = async ({ id }) => {
      const says = runs[ran.length] ?? 'done'
      if (says === 'freezes') await losesItsJob(lane.name, id)
      ran.push(says)
      if (says === 'throw') throw new Error('not yet')
      if (says === 'done') return { outcome: 'done' }
      // Also what it says when it goes on, after it has lost its job.
      return { outcome: says === 'pause' ? 'pause' : 'later', delayMs: 1, reason: 'not yet' }
    }
    const until = async (id: string, state: StoredJob<Data>['state'], backoffMs = 5) => {
      const isSo = async () => (await lane.get(id))?.state === state
      while (!(await isSo())) {
        const before = ran.length
        const turn = () => eventually(async () => expect((await isSo()) || ran.slice(before).includes('freezes')).toBe(true))
        await worked(lane, handler, turn, { backoffMs })
      }
    }
    return { runs, ran, until }
  }

  describe('a job whose process ends or freezes', () => {
    test('is not in its first run when the next one takes it', async () => {
      const lane = fresh()
      const first: boolean[] = []
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        if (first.length === 1) await losesItsJob(lane.name, id)
        return { outcome: 'done' }
      }
      await worked(lane, handler, () => eventually(async () => expect(first).toHaveLength(1)))
      await worked(lane, handler, () => eventually(async () => expect((await lane.get(id))?.state).toBe('completed')))
      expect(first).toEqual([true, false])
    })

    test('each time is given up after the sixth in a row, and put back it is counted anew', async () => {
      const lane = fresh()
      const { ran, until } = processes(lane, [6, 1, 'done'])
      const { id } = await lane.add({ data: { n: 1 } })
      await until(id, 'failed')
      expect((await lane.get(id))?.failure).toContain('6 times in a row')
      expect(ran).toHaveLength(6)
      await lane.retry(id)
      await until(id, 'completed')
      expect(ran).toHaveLength(8)
    })

    test('is not given up for those before a run that came to its end, whatever that said', async () => {
      const lane = fresh()
      const { runs, ran, until } = processes(lane, [3, 'later', 3, 'pause', 3, 'throw', 3, 'done'])
      const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
      await until(id, 'completed')
      expect(ran).toEqual(runs)
    })

    test('is not given up for those before a run that a worker gave back when it stopped', async () => {
      const lane = fresh()
      const [begun, goesOn] = [gate(), gate()]
      let runs = 0
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        const run = runs++
        if (run === 5) {
          begun.open()
          await goesOn.opened
        } else if (run < 10) await losesItsJob(lane.name, id)
        return { outcome: 'done' }
      }
      const freezes = async (times: number) => {
        for (const last = runs + times; runs < last; ) {
          const before = runs
          await worked(lane, handler, () => eventually(async () => expect(runs).toBeGreaterThan(before)))
        }
      }
      await freezes(5)
      const worker = open().work(lane.name, handler, { concurrency: 1, backoffMs: 5, onError: () => undefined })
      await begun.opened
      await worker.stop(10)
      goesOn.open()
      await freezes(4)
      await worked(lane, handler, () => eventually(async () => expect((await lane.get(id))?.state).toBe('completed')))
      expect(runs).toBe(11)
    })

    test('counts no failure of a run that had lost it: the run that has it now counts for itself', async () => {
      const lane = fresh()
      const attempts: number[] = []
      const { id } = await lane.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length > 1) return { outcome: 'done' }
        await losesItsJob(lane.name, id)
        throw new Error('a run that lost its job')
      }
      await worked(lane, handler, () => eventually(async () => expect(attempts).toHaveLength(1)), { attempts: 1 })
      await worked(lane, handler, () => eventually(async () => expect((await lane.get(id))?.state).toBe('completed')), { attempts: 1 })
      expect(attempts).toEqual([1, 1])
    })

    test('before it was begun is not given up, however often', async () => {
      const lane = fresh()
      const { until } = processes(lane, ['done'])
      const { id } = await lane.add({ data: { n: 1 } })
      await lane.pause()
      for (let n = 0; n < 8; n += 1) {
        await isTaken(lane.name, id)
        await losesItsJob(lane.name, id)
        const backInLine = () => eventually(async () => expect((await lane.get(id))?.state).not.toBe('active'))
        await worked(lane, async () => ({ outcome: 'done' }), backInLine)
      }
      await lane.resume()
      await until(id, 'completed')
    })

    test('twice in a row rests before it runs again, while others go on; an event wakes it', async () => {
      const lane = fresh()
      const { ran, until } = processes(lane, [2, 'done', 'done'])
      const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
      await until(id, 'delayed', 600_000)
      expect(ran).toHaveLength(2)
      const other = await lane.add({ data: { n: 2 } })
      await until(other.id, 'completed')
      expect((await lane.get(id))?.state).toBe('delayed')
      await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
      await until(id, 'completed')
    })
  })
}
