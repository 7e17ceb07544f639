// A script that Redis keeps: it is sent by its name, and in whole only where Redis does not know it (at first, and after a restart).
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** However many keys and values: as arguments of a call they would be too many for the stack. */
type RunScript = (keys: readonly string[], values: readonly (string | number | Buffer)[]) => Promise<unknown>

/** Over one connection; what the script or the connection throws is thrown. */
export function redisScript(redis: Redis, lua: string): RunScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (keys, values) => {
    const given = [keys.length, ...keys, ...values]
    try {
      return await redis.call('evalsha', [sha, ...given])
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown
      return redis.call('eval', [lua, ...given])
    }
  }
}
