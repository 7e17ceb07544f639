// Gives a job in Redis other data, and drops a body that was its name or stood beside it: BullMQ's own updateData leaves both.
import type { Redis } from 'ioredis'
import { bytesApart, keyApart } from './body-apart.ts'
import type { ReplaceData } from './bullmq-store.ts'
import { redisScript } from './redis-script.ts'

const REPLACE = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  redis.call('HSET', KEYS[1], 'data', ARGV[1], 'name', ARGV[2])
  redis.call('UNLINK', KEYS[2])
  return 1`

/** Gives how data is replaced over that connection. */
export function redisReplaceData(redis: Redis): ReplaceData {
  const run = redisScript(redis, REPLACE)
  return async (job, data) => {
    // The name of any other job tells whose add was the first (bullmq-lane.ts).
    if (!job.data.bodyIsName && bytesApart(job) === undefined) return job.updateData(data)
    const replaced = await run([`${job.queueQualifiedName}:${job.id}`, keyApart(job)], [JSON.stringify(data), String(job.id)])
    if (replaced !== 1) throw new Error(`The job ${job.id} is gone.`)
  }
}
