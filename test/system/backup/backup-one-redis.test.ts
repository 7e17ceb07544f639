// Backups of Redis with the journal in PostgreSQL, where only one of them is lost (backup.suite.ts); flushed-redis.test.ts has an empty queue.
import { describe } from 'vitest'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { backupSuite } from './backup.suite.ts'
import { onPostgres } from './on-postgres.ts'
import { redisAndPostgres } from './stores.ts'

describe.skipIf(!hasRedisServer())('next to Redis', () => {
  onPostgres((server) => {
    describe('a journal that is older than the queue', () => {
      const losses = { queue: 'kept', journal: 'restored' } as const
      const known = { waiting: 'not done again', posts: 'not done again' } as const
      backupSuite(() => redisAndPostgres(server(), losses), { memory: 'of the backup', ...known })
    })
    describe('a queue that is older than the journal', () => {
      const losses = { queue: 'restored', journal: 'kept' } as const
      backupSuite(() => redisAndPostgres(server(), losses), { memory: 'of the loss', waiting: 'not done again' })
    })
  })
})
