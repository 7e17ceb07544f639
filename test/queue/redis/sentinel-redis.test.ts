// A Redis that Sentinels watch fails over under load: what was acknowledged is there afterwards, and work goes on.
import { openQueues } from '../../../src/queue/open-queue.ts'
import { confirmingReplica } from '../../servers/confirming-replica.ts'
import { startRedisSentinels } from '../../servers/redis-sentinels.ts'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { accepts, report, startLoad } from './load.ts'

describe.skipIf(!hasRedisServer())('a failover by Sentinels under load loses nothing that was acknowledged', () => {
  test.each(['kill', 'freeze'] as const)(
    'after a %s of the master',
    async (fault) => {
      const sentinels = await startRedisSentinels()
      const queues = await openQueues({ url: sentinels.url, lockMs: 2_000 })
      const load = startLoad(queues)
      await accepts(load)
      await sentinels.master[fault]()
      await sentinels.promoted(sentinels.replica)
      await accepts(load)
      const { lost } = await load.end()
      report(`Sentinel failover after a ${fault}`, load, lost)
      expect(lost).toEqual([])
      await queues.close()
      await sentinels.stop()
    },
    180_000,
  )

  test.each([
    ['its only replica', 1],
    ['one of two replicas', 2],
  ] as const)(
    'after a planned failover to %s',
    async (what, replicas) => {
      const sentinels = await startRedisSentinels([], [], { replicas })
      await confirmingReplica(sentinels.master.url)
      const queues = await openQueues({ url: sentinels.url, lockMs: 2_000 })
      // What ran before it was lost is not missed.
      await queues.queue('deliveries').pause()
      const load = startLoad(queues)
      await accepts(load)
      await sentinels.failOver()
      await accepts(load)
      await queues.queue('deliveries').resume()
      const { lost } = await load.end()
      report(`A planned failover to ${what}`, load, lost)
      expect(lost).toEqual([])
      await queues.close()
      await sentinels.stop()
    },
    180_000,
  )
})
