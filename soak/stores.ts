// Where the bot of a soak has its queue and its journal, and the servers of them that faults stop.
import { join } from 'node:path'
import { hasPostgresServer, startPostgres } from '../test/servers/postgres-server.ts'
import { hasRedisServer, startRedis } from '../test/servers/redis-server.ts'
import type { BreakableServer } from './breakage.ts'
import { startFailoverRedis } from './failover.ts'
import type { ServerFault } from './schedule.ts'

export type QueueKind = 'embedded' | 'redis' | 'postgres' | 'failover'

export interface Stores {
  queueUrl: string
  /** Empty: the journal is in the queue's own database. */
  journalUrl: string
  /** The database in PostgreSQL, of the journal or of both. */
  database?: string
  /** Names of the processes that share them. */
  processes: string[]
  /** Where the queue has its files. */
  folders: string[]
  servers: Partial<Record<ServerFault, BreakableServer>>
  /** What a fault may have changed besides: by kind. */
  counts(): Record<string, number>
  /** Passwords of them. */
  secrets: string[]
  stop(): Promise<void>
}

/** Starts what such a queue needs; `folder` gets its files where it has no server. */
export async function startStores(kind: QueueKind, folder: string): Promise<Stores> {
  if (kind !== 'embedded') return startServers(kind)
  const queue = join(folder, 'queue')
  return {
    ...{
      queueUrl: `embedded:${queue}`,
      journalUrl: '',
      processes: ['bot'],
      folders: [queue],
      servers: {},
      secrets: [],
    },
    counts: () => ({}),
    stop: async () => undefined,
  }
}

async function startServers(kind: Exclude<QueueKind, 'embedded'>): Promise<Stores> {
  if (!hasRedisServer() || !hasPostgresServer())
    throw new Error(`--queue ${kind} needs redis-server on the PATH, and the programs of a PostgreSQL server`)
  const postgres = await startPostgres({ max_connections: '100' })
  const database = postgres.database('bellhop')
  const given = { database, processes: ['bot-1', 'bot-2'], secrets: [new URL(database).password] }
  if (kind === 'postgres')
    return {
      ...{ ...given, queueUrl: database, journalUrl: '', folders: [], servers: { postgres }, stop: postgres.stop },
      counts: () => ({}),
    }
  const redis = kind === 'redis' ? await startRedis() : await startFailoverRedis()
  return {
    ...{ ...given, queueUrl: redis.url, journalUrl: database, servers: { redis, postgres } },
    folders: 'directories' in redis ? redis.directories : [redis.directory],
    counts: (): Record<string, number> =>
      'promotions' in redis ? { 'redis: a replica took over': redis.promotions() } : {},
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}
