// A cluster fails over and is resharded under load: what was acknowledged is there afterwards, and work goes on.
import { describe, expect, test, vi } from 'vitest'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { shardPrefixes } from '../../../src/queue/redis/shard-count.ts'
import { eventually } from '../../eventually.ts'
import { startRedisCluster } from '../../servers/redis-cluster.ts'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { accepts, report, startLoad } from './load.ts'

describe.skipIf(!hasRedisServer())('a cluster under load loses nothing that was acknowledged', () => {
  test.each([
    ['kill', 1],
    ['freeze', 1],
    ['kill', 6],
  ] as const)(
    'after a %s of a master and a resharding, with %i shards',
    async (fault, shards) => {
      const cluster = await startRedisCluster()
      const queues = await openQueues({ url: cluster.url, lockMs: 2_000, shards })
      const load = startLoad(queues)
      await accepts(load)
      const [tag = ''] = shardPrefixes(shards)
      const master = await cluster.masterOf(tag)
      await master[fault]()
      await eventually(async () => expect(await cluster.masterOf(tag)).not.toBe(master))
      await accepts(load)
      // What had hung goes on as a replica, and answers nobody with what it had been told to do before.
      if (fault === 'freeze') master.thaw()
      await vi.waitFor(() => cluster.reshard(tag), { timeout: 60_000 })
      await accepts(load)
      const { lost } = await load.end()
      report(`Cluster, ${shards} shards: a ${fault}, and a resharding`, load, lost)
      expect(lost).toEqual([])
      await queues.close()
      await cluster.stop()
    },
    240_000,
  )
})
