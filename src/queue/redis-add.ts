// Adds a job as BullMQ's own script does, in one round trip and half of its time (docs/decisions/0028).
import type { JobsOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import type { PrioritizedJob } from './bullmq-store.ts'
import { redisScript } from './redis-script.ts'

// Everything that BullMQ 6 writes for a job with an id, a priority, perhaps a line of its log, and nothing else, but the events: nobody listens to them.
// test/queue/redis-add.test.ts compares the two.
const ADD = `
  local id, key = ARGV[1], KEYS[1] .. ARGV[1]
  if redis.call('EXISTS', key) == 1 then return 0 end
  redis.call('INCR', KEYS[2])
  if ARGV[7] then redis.call('RPUSH', key .. ':logs', ARGV[7]) end
  redis.call('HSET', key, 'name', ARGV[6], 'data', ARGV[2], 'opts', ARGV[3], 'timestamp', ARGV[4], 'delay', 0, 'priority', ARGV[5])
  redis.call('ZADD', KEYS[3], ARGV[5] * 0x100000000 + redis.call('INCR', KEYS[4]) % 0x100000000, id)
  if not redis.call('HGET', KEYS[5], 'paused') then redis.call('ZADD', KEYS[6], 0, '0') end
  return 1`

/** Gives how jobs are added to a lane whose keys begin with `prefix`; false where the id is still kept. */
export function redisAdd(redis: Redis, options: JobsOptions): (prefix: string) => (job: PrioritizedJob) => Promise<boolean> {
  const script = redisScript(redis, ADD)
  const common = JSON.stringify(options).slice(0, -1)
  return (prefix) => {
    const run = script.on(['', 'id', 'prioritized', 'pc', 'meta', 'marker'].map((each) => prefix + each))
    return async ({ id, name, data, priority, log }) => {
      const opts = `${common},"jobId":${JSON.stringify(id)},"priority":${priority}}`
      const values = [id, JSON.stringify(data), opts, Date.now(), priority, name]
      return (await run(log === undefined ? values : [...values, log])) === 1
    }
  }
}
