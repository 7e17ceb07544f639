// A journal that was moved away, on a Redis Cluster: its refusal must not look like that of a slot that has moved.
import { expect, test } from 'vitest'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { changeMove } from '../../../src/journal/stores/redis-layout.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { startRedisCluster } from '../../servers/redis-cluster.ts'
import { hasRedisServer } from '../../servers/redis-server.ts'

test.skipIf(!hasRedisServer())('is refused at once, in reading and writing, with what to do', async () => {
  const cluster = await startRedisCluster([], { replicas: 0 })
  const queue = await openQueues({ url: cluster.url })
  try {
    if (queue.store.kind !== 'redis') throw new Error('the queue is in Redis')
    const journal = await openJournal(queue.store)
    const to = { state: 'moving', to: 'postgres://db/bellhop' } as const
    await changeMove(queue.store.redis, queue.store.prefix, { from: undefined, to })
    await expect(journal.markProject(1, 'mark', 'late')).rejects.toThrow(
      /restart this process with BELLHOP_JOURNAL_URL/,
    )
    await expect(journal.projectMark(1, 'mark')).rejects.toThrow(/restart this process with BELLHOP_JOURNAL_URL/)
  } finally {
    await queue.close()
    await cluster.stop()
  }
})
