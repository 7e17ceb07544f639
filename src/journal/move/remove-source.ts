// Deletes the journal in Redis after it was moved.
import type { RedisConnection } from '../../queue/types.ts'
import { redisSource } from './redis-source.ts'

/** Returns how many keys were deleted; what marks the journal as moved stays. */
export async function removeSource(
  redis: RedisConnection,
  prefix: string,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0
  for await (const count of redisSource(redis, prefix).remove()) {
    done += count
    onProgress(done)
  }
  return done
}
