// Redis fails over while deliveries come: every acknowledged delivery is evaluated, and each effect comes once.
import { eventually } from '../../eventually.ts'
import { startRedisSentinels } from '../../servers/redis-sentinels.ts'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: label all
    if: { title: { matches: "^change" } }
    then: { label: { add: seen }, comment: "Seen." }
`

/** The merge requests whose opening was acknowledged. */
function acknowledged(world: TestWorld): number[] {
  return world.sandbox.deliveries().flatMap(({ payload, result }) => {
    const { object_kind: kind, object_attributes: about } = payload as Record<string, { iid?: number; action?: string }>
    const isOpening = String(kind) === 'merge_request' && about?.action === 'open'
    return isOpening && result === 202 && about.iid !== undefined ? [about.iid] : []
  })
}

/** Opens merge requests one after the other until it is told to stop. */
function opening(world: TestWorld) {
  const iids: number[] = []
  let isOver = false
  const running = (async () => {
    for (let n = 0; !isOver; n += 1) iids.push((await world.openMergeRequest({ branch: `change-${n}` })).iid)
  })()
  return {
    iids,
    /** Until so many more were acknowledged. */
    more: (count: number) => {
      const { length } = acknowledged(world)
      return eventually(() => expect(acknowledged(world).length).toBeGreaterThanOrEqual(length + count))
    },
    async stop() {
      isOver = true
      await running
    },
  }
}

describe.skipIf(!hasRedisServer())('the bot goes on', () => {
  test('over a failover by Sentinels', async () => {
    const redis = await startRedisSentinels()
    const world = await startTestWorld({ rules, queueUrl: redis.url })
    await world.settle()
    const opened = opening(world)
    await opened.more(3)
    await redis.master.kill()
    await redis.promoted(redis.replica)
    await opened.more(6)
    await opened.stop()
    await world.sandbox.idle()

    const lost: number[] = []
    await eventually(() => world.settle())
    const doubled: number[] = []
    const taken = acknowledged(world)
    for (const iid of taken) {
      const notes = (await world.service.mergeRequests.notes.list(world.ref(iid))).body
      const said = notes.filter(({ body }) => body?.startsWith('Seen.')).length
      if (said === 0 || !(await world.labels(iid))?.includes('seen')) lost.push(iid)
      if (said > 1) doubled.push(iid)
    }
    process.stdout.write(
      `A failover: ${taken.length} of ${opened.iids.length} acknowledged, ${lost.length} lost, ${doubled.length} doubled\n`,
    )
    expect(taken.length).toBeGreaterThan(5)
    expect(world.log.map(({ event }) => event)).toContain('redis_replicas_gone')
    expect([lost, doubled]).toEqual([[], []])
    await world.end()
    await redis.stop()
  })
})
