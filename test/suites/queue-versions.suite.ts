// Jobs of a newer Bellhop, as they meet the older one while both run: left alone, neither done nor failed, until one that knows them comes.
import { describe, expect, test } from 'vitest'
import { JobNotRetryable, JobOfNewerVersion } from '../../src/queue/errors.ts'
import { JOB_VERSION } from '../../src/queue/job-data.ts'
import type { Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, lanesOf, noting } from './queue-lanes.ts'

/** Writes a job's version and nothing else anew, as the store keeps it. */
async function setVersion({ store }: Queue, lane: string, id: string, version: number): Promise<void> {
  if (store.kind === 'redis') {
    const key = `${store.prefix}:${lane}:${id}`
    const data = JSON.parse((await store.redis.hget(key, 'data')) ?? '')
    await store.redis.hset(key, 'data', JSON.stringify({ ...data, v: version }))
  } else {
    await store.pool.query(`UPDATE bullmq.job SET data = jsonb_set(data::jsonb, '{v}', $3::text::jsonb) WHERE queue = $1 AND id = $2`, [
      lane,
      id,
      String(version),
    ])
  }
}

export function queueVersionsSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  describe('a job of a newer version', () => {
    test('is put back without an attempt, the others are done, and it is done when its own version comes', async () => {
      const lane = fresh()
      const ran: Data[] = []
      const told: Error[] = []
      const { id } = await lane.add({ data: { text: 'newer' }, delayMs: 60_000 })
      await setVersion(open(), lane.name, id, JOB_VERSION + 1)
      await lane.promote(id)
      await lane.add({ data: { n: 1 } })
      await worked(
        lane,
        noting(ran),
        () => eventually(async () => expect([ran, (await lane.get(id))?.state, told.length]).toEqual([[{ n: 1 }], 'delayed', 1])),
        { attempts: 1, onError: (error) => told.push(error) },
      )
      expect(told[0]).toBeInstanceOf(JobOfNewerVersion)
      expect(await lane.get(id)).toMatchObject({ state: 'delayed', attempts: 0 })

      await setVersion(open(), lane.name, id, 1)
      await lane.promote(id)
      await worked(lane, noting(ran), () => lane.settled())
      expect(ran).toEqual([{ n: 1 }, { text: 'newer' }])
    })

    test('that has failed is neither put back nor lightened by the older one', async () => {
      const lane = fresh()
      const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'key' })
      await worked(
        lane,
        async () => ({ outcome: 'failed', reason: 'no' }),
        () => lane.settled(),
      )
      await setVersion(open(), lane.name, id, JOB_VERSION + 1)
      await expect(lane.retry(id)).rejects.toThrow(JobNotRetryable)
      await lane.shed({ completed: 60_000, failed: -1_000 }, () => ({ n: 2 }))
      expect(await lane.get(id)).toMatchObject({ state: 'failed', data: { n: 1 } })
    })
  })
}
