// A script that Redis keeps: it is sent by its name, and in whole only where Redis does not know it (at first, and after a restart).
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** However many keys and values: as arguments of a call they would be too many for the stack. */
type RunScript = (keys: readonly string[], values: readonly (string | number | Buffer)[]) => Promise<unknown>

/** Over one connection, in the order in which they are called; what the script or the connection throws is thrown. */
export function redisScript(redis: Redis, lua: string): RunScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  // Until Redis is seen to know it, it is sent in whole: of many at once, one that is refused by its name would be overtaken by those that come when it is known.
  let isKnown = false
  return async (keys, values) => {
    const given = [keys.length, ...keys, ...values]
    try {
      if (isKnown) return await redis.call('evalsha', [sha, ...given])
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown
      isKnown = false
    }
    const answer = await redis.call('eval', [lua, ...given])
    isKnown = true
    return answer
  }
}
