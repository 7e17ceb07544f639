// Where the bot of a soak has its queue and its journal, and the servers of them that faults stop.
import { join } from 'node:path'
import { hasPostgresServer, startPostgres } from '../test/servers/postgres-server.ts'
import { hasRedisServer, startRedis } from '../test/servers/redis-server.ts'
import type { BreakableServer } from './breakage.ts'
import { startFailoverRedis } from './failover.ts'
import type { ServerFault } from './schedule.ts'

export type QueueKind = 'embedded' | 'redis' | 'failover'

export interface Stores {
  queueUrl: string
  /** Undefined: the journal is in the queue's own store. */
  journalUrl: string | undefined
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

const alone = ['bot']
const several = ['bot-1', 'bot-2']
const none = { journalUrl: undefined, secrets: [], counts: () => ({}) }

/** Starts what such a queue needs; `folder` gets its files where it has no server. */
export async function startStores(kind: QueueKind, folder: string): Promise<Stores> {
  switch (kind) {
    case 'embedded': {
      const queue = join(folder, 'queue')
      const stop = async () => undefined
      return { ...none, queueUrl: `embedded:${queue}`, processes: alone, folders: [queue], servers: {}, stop }
    }
    case 'redis': {
      if (!hasRedisServer()) throw new Error('--queue redis needs redis-server on the PATH')
      const redis = await startRedis()
      const { url: queueUrl, directory, stop } = redis
      return { ...none, queueUrl, processes: several, folders: [directory], servers: { redis }, stop }
    }
    case 'failover':
      return startFailover()
    default:
      return kind satisfies never
  }
}

async function startFailover(): Promise<Stores> {
  if (!hasRedisServer() || !hasPostgresServer())
    throw new Error('--queue failover needs redis-server on the PATH, and the programs of a PostgreSQL server')
  const postgres = await startPostgres({ max_connections: '100' })
  const redis = await startFailoverRedis()
  const journalUrl = postgres.database('journal')
  return {
    queueUrl: redis.url,
    journalUrl,
    processes: several,
    folders: redis.directories,
    servers: { redis, postgres },
    counts: () => ({ 'redis: a replica took over': redis.promotions() }),
    secrets: [new URL(journalUrl).password],
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}
