// Jobs whose process died or froze while it ran them: how often that may be, and when it is counted anew. The queue's locks last 100 ms.
import { expect, test } from 'vitest'
import type { JobHandler, Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { type Data, lanesOf } from './queue-lanes.ts'

export function queueStalledSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf(open)

  /** Takes the job from whoever runs it, as when its process stands still for longer than the lock lasts. */
  async function loseLock(lane: string, id: string): Promise<void> {
    const { store } = open()
    if (store.kind === 'redis') await store.redis.del(`${store.prefix}:${lane}:${id}:lock`)
    else await store.pool.query('UPDATE bullmq.job SET lock_token = NULL, locked_until_ms = 0 WHERE queue = $1 AND id = $2', [lane, id])
  }

  /** Freezes as often as that in a row, each time until another has the job, and then says what comes next. */
  function freezing(lane: string, turns: (number | 'later' | 'pause' | 'throw' | 'done')[]) {
    const runs = turns.flatMap((turn) => (typeof turn === 'number' ? Array.from({ length: turn }, () => 'freezes' as const) : [turn]))
    const ran: string[] = []
    const handler: JobHandler<Data> = async ({ id }) => {
      const says = runs[ran.length] ?? 'done'
      ran.push(says)
      if (says === 'freezes') await loseLock(lane, id)
      if (says === 'throw') throw new Error('not yet')
      if (says === 'done') return { outcome: 'done' }
      return { outcome: says === 'pause' ? 'pause' : 'later', delayMs: 1, reason: 'not yet' }
    }
    return { handler, ran, runs }
  }

  test('a job that stops its process each time is given up after the sixth, and put back it is counted anew', async () => {
    const lane = fresh()
    const { handler, ran } = freezing(lane.name, [6, 1, 'done'])
    const { id } = await lane.add({ data: { n: 1 } })
    await worked(lane, handler, async () => {
      await eventually(async () =>
        expect(await lane.get(id)).toMatchObject({ state: 'failed', failure: expect.stringContaining('stalled') }),
      )
      expect(ran).toHaveLength(6)
      await lane.retry(id)
      await eventually(async () => expect((await lane.get(id))?.state).toBe('completed'))
    })
    expect(ran).toHaveLength(8)
  })

  test('a job that stopped its process twice in a row rests before it runs again, while others go on; an event wakes it', async () => {
    const lane = fresh()
    const { handler, ran } = freezing(lane.name, [2, 'done', 'done'])
    const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
    const during = async () => {
      await eventually(async () => expect([ran.length, (await lane.get(id))?.state]).toEqual([2, 'delayed']))
      const other = await lane.add({ data: { n: 2 } })
      await eventually(async () => expect((await lane.get(other.id))?.state).toBe('completed'))
      await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
      await eventually(async () => expect((await lane.get(id))?.state).toBe('completed'))
    }
    await worked(lane, handler, during, { backoffMs: 600_000 })
  })

  test('a job that is put off or tried again is not given up for processes that stopped before that', async () => {
    const lane = fresh()
    const { handler, ran, runs } = freezing(lane.name, [3, 'later', 3, 'pause', 3, 'throw', 3, 'done'])
    const { id } = await lane.add({ data: { n: 1 }, oneAtATime: 'mr-1' })
    await worked(lane, handler, () => eventually(async () => expect((await lane.get(id))?.state).toBe('completed')))
    expect(ran).toEqual(runs)
  })
}
