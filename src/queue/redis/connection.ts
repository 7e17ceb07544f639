// Connections to Redis: one that fails fast for callers that wait for an answer, and patient ones for workers.
import { Redis } from 'ioredis'
import { withoutCredentials } from '../errors.ts'

export interface ConnectionOptions {
  url: string
  log(message: string, error: Error): void
}

const COMMAND_TIMEOUT_MS = 900

/** For callers that wait, such as the sender of a delivery: every command fails after about a second at the latest. */
export function connectFast({ url, log }: ConnectionOptions): Redis {
  const options = {
    enableAutoPipelining: true,
    maxRetriesPerRequest: 1,
    connectTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: () => 200,
  }
  return logErrors(new FastRedis(url, options), { url, log })
}

/** For a worker: its commands wait until Redis is back. */
export function connectPatient({ url, log }: ConnectionOptions): Redis {
  const options = { maxRetriesPerRequest: null, retryStrategy: (times: number) => Math.min(times * 100, 1_000) }
  return logErrors(new Redis(url, options), { url, log })
}

/**
 * Not ioredis' own `commandTimeout`, not even with `autoResendUnfulfilledCommands: false`: with it "a process that
 * stood still …" (test/queue/redis.test.ts) fails, as its timer comes before the replies, and "sends no command …"
 * (test/queue/redis/connection.test.ts) fails, as it sends commands after they timed out.
 */
class FastRedis extends Redis {
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    const [command] = args
    if (command.isSettled) return command.promise
    const timeOut = () => command.reject(new Error('Command timed out'))
    // Node reads from sockets between timers and immediates.
    const timer = setTimeout(() => setImmediate(timeOut), COMMAND_TIMEOUT_MS)
    const clear = () => clearTimeout(timer)
    command.promise.then(clear, clear)
    return super.sendCommand(...args)
  }
}

function logErrors(redis: Redis, { url, log }: ConnectionOptions): Redis {
  const shown = withoutCredentials(url)
  return redis.on('error', (error) => log(`The connection to ${shown} is lost: ${error.message}`, error))
}
