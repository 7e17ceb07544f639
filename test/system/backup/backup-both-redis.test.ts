// Backups of Redis with the journal in PostgreSQL, where both are lost (backup.suite.ts).
import { hasRedisServer } from '../../servers/redis-server.ts'
import { backupSuite } from './backup.suite.ts'
import { onPostgres } from './on-postgres.ts'
import { redisAndPostgres } from './stores.ts'

describe.skipIf(!hasRedisServer())('next to Redis', () => {
  onPostgres((server) => {
    describe('both restored', () => {
      const losses = { queue: 'restored', journal: 'restored' } as const
      backupSuite(() => redisAndPostgres(server(), losses), { memory: 'of the backup', waiting: 'done again' })
    })
    describe('the journal restored, and an empty queue', () => {
      const losses = { queue: 'empty', journal: 'restored' } as const
      backupSuite(() => redisAndPostgres(server(), losses), { memory: 'of the backup', waiting: 'not done again' })
    })
  })
})
