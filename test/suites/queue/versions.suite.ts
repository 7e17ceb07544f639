// An older Bellhop leaves the jobs of a newer one alone while both run.
import { describe, expect, test } from 'vitest'
import { JOB_VERSION } from '../../../src/queue/bullmq/job-data.ts'
import { JobNotRetryable, JobOfNewerVersion } from '../../../src/queue/errors.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { type Data, noting, queuesOf } from './test-queues.ts'

/** Writes a job's version and nothing else anew, as the store keeps it. */
async function setVersion({ store }: Queues, queue: string, id: string, version: number): Promise<void> {
  if (store.kind === 'redis') {
    const key = `${store.prefix}:${queue}:${id}`
    const data = JSON.parse((await store.redis.hget(key, 'data')) ?? '')
    await store.redis.hset(key, 'data', JSON.stringify({ ...data, v: version }))
  } else {
    await store.pool.query(
      `UPDATE bullmq.job SET data = jsonb_set(data::jsonb, '{v}', $3::text::jsonb) WHERE queue = $1 AND id = $2`,
      [queue, id, String(version)],
    )
  }
}

export function queueVersionsSuite(open: () => Queues): void {
  const { fresh, worked } = queuesOf(open)

  describe('a job of a newer version', () => {
    test('waits without an attempt, others run, and it runs when its own version comes', async () => {
      const queue = fresh()
      const ran: Data[] = []
      const told: Error[] = []
      const { id } = await queue.add({ data: { text: 'newer' }, delayMs: 60_000 })
      await setVersion(open(), queue.name, id, JOB_VERSION + 1)
      await queue.promote(id)
      await queue.add({ data: { n: 1 } })
      await worked(
        queue,
        noting(ran),
        () =>
          eventually(async () =>
            expect([ran, (await queue.get(id))?.state, told.length]).toEqual([[{ n: 1 }], 'delayed', 1]),
          ),
        { attempts: 1, onError: (error) => told.push(error) },
      )
      expect(told[0]).toBeInstanceOf(JobOfNewerVersion)
      expect(await queue.get(id)).toMatchObject({ state: 'delayed', attempts: 0 })

      await setVersion(open(), queue.name, id, 1)
      await queue.promote(id)
      await worked(queue, noting(ran), () => queue.settled())
      expect(ran).toEqual([{ n: 1 }, { text: 'newer' }])
    })

    test('that failed is neither retried nor cleaned by the older one', async () => {
      const queue = fresh()
      const { id } = await queue.add({ data: { n: 1 }, deduplicationKey: 'key' })
      await worked(
        queue,
        async () => ({ outcome: 'failed', reason: 'no' }),
        () => queue.settled(),
      )
      await setVersion(open(), queue.name, id, JOB_VERSION + 1)
      await expect(queue.retry(id)).rejects.toThrow(JobNotRetryable)
      await queue.cleanFinished({ completed: 60_000, failed: -1_000 }, () => ({ n: 2 }))
      expect(await queue.get(id)).toMatchObject({ state: 'failed', data: { n: 1 } })
    })
  })
}
