// A backup of Redis (backup.suite.ts).
import { describe } from 'vitest'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { backupSuite } from './backup.suite.ts'
import { redisStore } from './stores.ts'

describe.skipIf(!hasRedisServer())('Redis', () => {
  backupSuite(redisStore, { memory: 'of the backup', waiting: 'done again' })
})
