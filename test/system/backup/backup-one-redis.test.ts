// Backups of Redis and a PostgreSQL journal, one of them lost (backup.suite.ts). Empty queue: flushed-redis.test.ts.
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
