// What a restored Redis reads, and observe mode after a restore (backup.suite.ts).
import { execFileSync } from 'node:child_process'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { observedBackupSuite } from './backup.suite.ts'
import { onPostgres } from './on-postgres.ts'
import { redisAndPostgres } from './stores.ts'

describe.skipIf(!hasRedisServer())('Redis', () => {
  onPostgres((server) =>
    observedBackupSuite(() => redisAndPostgres(server(), { queue: 'restored', journal: 'restored' })),
  )

  test('reads dump.rdb only with `appendonly no`', async () => {
    const keysOf = ({ url }: { url: string }) =>
      execFileSync('redis-cli', ['-u', url, 'DBSIZE'], { encoding: 'utf8' }).trim()
    const first = await startRedis([['appendonly', 'no']])
    execFileSync('redis-cli', ['-u', first.url, 'SET', 'key', 'value'])
    execFileSync('redis-cli', ['-u', first.url, 'SAVE'])
    await first.kill()
    const { directory } = first
    const found: string[] = []
    for (const appendonly of ['no', 'yes']) {
      const next = await startRedis([['appendonly', appendonly]], { directory })
      found.push(keysOf(next))
      await next.kill()
    }
    await first.stop()
    expect(found).toEqual(['1', '0'])
  })
})
