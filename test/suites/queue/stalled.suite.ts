// Jobs whose process ends or freezes during their run: how often they run again, and what resets that count.

import { PREFIX } from '../../../src/queue/redis/connection.ts'
import type { JobHandler, JobQueue, Queues, StoredJob } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, gate, queuesOf, reaches } from './test-queues.ts'

export function queueStalledSuite(open: () => Queues): void {
  const { test, worked } = queuesOf(open)

  /** As when the process of the job froze or ended a minute ago: the next process that starts takes the job. */
  async function losesJob(queue: string, id: string): Promise<void> {
    const { store } = open()
    if (store.kind === 'redis') {
      const key = (name: string) => `${PREFIX}:${queue}:${name}`
      await store.redis
        .multi()
        .del(key(`${id}:lock`))
        .sadd(key('stalled'), id)
        .del(key('stalled-check'))
        .exec()
    } else {
      const lost = 'lock_token = NULL, locked_until_ms = 0, stalled_marked = true'
      await store.pool.query(`UPDATE bullmq.job SET ${lost} WHERE queue = $1 AND id = $2`, [queue, id])
      await store.pool.query(`DELETE FROM bullmq.meta WHERE queue = $1 AND field = 'stalled-check'`, [queue])
    }
  }

  /** As when a process takes the job and ends before it runs it. */
  async function isTaken(queue: string, id: string): Promise<void> {
    const { store } = open()
    if (store.kind === 'redis') {
      const key = (name: string) => `${PREFIX}:${queue}:${name}`
      await store.redis.multi().lrem(key('wait'), 0, id).lrem(key('paused'), 0, id).lpush(key('active'), id).exec()
    } else await store.pool.query(`UPDATE bullmq.job SET state = 'active' WHERE queue = $1 AND id = $2`, [queue, id])
  }

  /** Processes that work the queue one after the other: each freezes so many times in a row, or ends its run so. */
  function processes(queue: JobQueue<Data>, turns: (number | 'later' | 'pause' | 'throw' | 'done')[]) {
    const runs = turns.flatMap((turn) =>
      typeof turn === 'number' ? Array.from({ length: turn }, () => 'freezes' as const) : [turn],
    )
    const ran: string[] = []
    const handler: JobHandler<Data> = async ({ id }) => {
      const outcome = runs[ran.length] ?? 'done'
      if (outcome === 'freezes') await losesJob(queue.name, id)
      ran.push(outcome)
      if (outcome === 'throw') throw new Error('not yet')
      if (outcome === 'done') return { outcome: 'done' }
      return { outcome: outcome === 'pause' ? 'pause' : 'later', delayMs: 1, reason: 'not yet' }
    }
    const until = async (id: string, state: StoredJob<Data>['state'], backoffMs = 5) => {
      const isSo = async () => (await queue.get(id))?.state === state
      while (!(await isSo())) {
        const before = ran.length
        const turn = () =>
          eventually(async () => expect((await isSo()) || ran.slice(before).includes('freezes')).toBe(true))
        await worked(queue, handler, turn, { backoffMs })
      }
    }
    return { runs, ran, until }
  }

  describe('a job whose process ends or freezes', () => {
    test('is not in its first run afterwards', async ({ queue }) => {
      const first: boolean[] = []
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ isFirst }) => {
        first.push(isFirst)
        if (first.length === 1) await losesJob(queue.name, id)
        return { outcome: 'done' }
      }
      await worked(queue, handler, () => eventually(async () => expect(first).toHaveLength(1)))
      await worked(queue, handler, () => reaches(queue, id, 'completed'))
      expect(first).toEqual([true, false])
    })

    test('fails after the sixth crash in a row, and a retry counts anew', async ({ queue }) => {
      const { ran, until } = processes(queue, [6, 1, 'done'])
      const { id } = await queue.add({ data: { n: 1 } })
      await until(id, 'failed')
      expect((await queue.get(id))?.failure).toContain('6 times in a row')
      expect(ran).toHaveLength(6)
      await queue.retry(id)
      await until(id, 'completed')
      expect(ran).toHaveLength(8)
    })

    test('does not count crashes before a run that came to its end', async ({ queue }) => {
      const { runs, ran, until } = processes(queue, [3, 'later', 3, 'pause', 3, 'throw', 3, 'done'])
      const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
      await until(id, 'completed')
      expect(ran).toEqual(runs)
    })

    test('does not count crashes before a run that a stopping worker gave back', async ({ queue }) => {
      const [begun, goesOn] = [gate(), gate()]
      let runs = 0
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async () => {
        const run = runs++
        if (run === 5) {
          begun.open()
          await goesOn.opened
        } else if (run < 10) await losesJob(queue.name, id)
        return { outcome: 'done' }
      }
      const freezes = async (times: number) => {
        for (const last = runs + times; runs < last; ) {
          const before = runs
          await worked(queue, handler, () => eventually(async () => expect(runs).toBeGreaterThan(before)))
        }
      }
      await freezes(5)
      const worker = open().work(queue.name, handler, { concurrency: 1, backoffMs: 5, onError: () => undefined })
      await begun.opened
      await worker.stop(10)
      goesOn.open()
      await freezes(4)
      await worked(queue, handler, () => reaches(queue, id, 'completed'))
      expect(runs).toBe(11)
    })

    test('does not count the failure of a run that lost the job', async ({ queue }) => {
      const attempts: number[] = []
      const { id } = await queue.add({ data: { n: 1 } })
      const handler: JobHandler<Data> = async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length > 1) return { outcome: 'done' }
        await losesJob(queue.name, id)
        throw new Error('a run that lost its job')
      }
      await worked(queue, handler, () => eventually(async () => expect(attempts).toHaveLength(1)), { attempts: 1 })
      await worked(queue, handler, () => reaches(queue, id, 'completed'), { attempts: 1 })
      expect(attempts).toEqual([1, 1])
    })

    test('does not count crashes before its run began', async ({ queue }) => {
      const { until } = processes(queue, ['done'])
      const { id } = await queue.add({ data: { n: 1 } })
      await queue.pause()
      for (let n = 0; n < 8; n += 1) {
        await isTaken(queue.name, id)
        await losesJob(queue.name, id)
        const isReturned = () => eventually(async () => expect((await queue.get(id))?.state).not.toBe('active'))
        await worked(queue, async () => ({ outcome: 'done' }), isReturned)
      }
      await queue.resume()
      await until(id, 'completed')
    })

    test('waits after the second crash in a row, while others run; an add starts it at once', async ({ queue }) => {
      const { ran, until } = processes(queue, [2, 'done', 'done'])
      const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
      await until(id, 'delayed', 600_000)
      expect(ran).toHaveLength(2)
      const other = await queue.add({ data: { n: 2 } })
      await until(other.id, 'completed')
      expect((await queue.get(id))?.state).toBe('delayed')
      await queue.add({ data: { n: 1 }, deduplicationKey: 'mr-1' })
      await until(id, 'completed')
    })
  })
}
