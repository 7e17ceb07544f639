// The servers that most benches measure on: a Redis for the queue, without a file, and a PostgreSQL for the journal.
import { hasPostgresServer, startPostgres, type TestPostgres } from '../test/servers/postgres-server.ts'
import { startRedis } from '../test/servers/redis-server.ts'
import { requireRedis } from './needs.ts'
import { CannotRun } from './row.ts'

export interface Servers {
  /** URLs of an empty queue and an empty journal. */
  queue: string
  journal: string
  postgres: TestPostgres
  stop(): Promise<void>
}

/** Throws CannotRun where one is not installed. */
export async function startServers(): Promise<Servers> {
  requireRedis()
  if (!hasPostgresServer()) throw new CannotRun('no PostgreSQL server is installed')
  const postgres = await startPostgres({ max_connections: '300' })
  const redis = await startRedis([
    ['appendonly', 'no'],
    ['maxmemory-policy', 'noeviction'],
  ])
  return {
    ...{ queue: redis.url, journal: postgres.database('journal'), postgres },
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}
