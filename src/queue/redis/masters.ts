// The masters of a Redis: all of a cluster, else the one.
import type { Redis } from 'ioredis'
import type { RedisConnection } from '../types.ts'

/** What all keys of the queues and the journal begin with: a hash tag, so that they are in one slot of a cluster. */
export const PREFIX = '{bellhop}'

/** The connections to the masters that are known at this moment: none before a cluster has answered. */
export function mastersOf(redis: RedisConnection): Redis[] {
  return 'nodes' in redis ? redis.nodes('master') : [redis]
}

/** The answers of all masters to INFO. */
export async function infoOfMasters(redis: RedisConnection, section?: string): Promise<string[]> {
  // Waits until the masters are known.
  if ('nodes' in redis) await redis.get(PREFIX)
  return Promise.all(mastersOf(redis).map((master) => (section === undefined ? master.info() : master.info(section))))
}
