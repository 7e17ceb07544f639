// Connections to Redis: one that fails fast for callers that wait for an answer, and patient ones for workers.
import { Redis, type RedisOptions } from 'ioredis'
import { asError } from '../errors.ts'
import type { RedisTarget } from './target.ts'

export interface ConnectionOptions {
  target: RedisTarget
  log(message: string, error: Error): void
}

/** What all keys of the queues begin with. */
export const PREFIX = 'bellhop'

const COMMAND_TIMEOUT_MS = 900
const REVIVED_AFTER_MS = 100

/**
 * For callers that wait, such as the sender of a delivery: every command fails after about a second at the latest.
 * `lazyConnect`: connects for the first command.
 */
export function connectFast({ target, log }: ConnectionOptions, { lazyConnect = false } = {}): Redis {
  const options = {
    lazyConnect,
    connectTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: () => 200,
    reconnectOnError,
  }
  return open(FastRedis, { target, log }, options, 200)
}

/** For a worker: its commands wait until Redis is back. */
export function connectPatient({ target, log }: ConnectionOptions): Redis {
  const retryStrategy = (times: number) => Math.min(times * 100, 1_000)
  return open(Redis, { target, log }, { maxRetriesPerRequest: null, retryStrategy, reconnectOnError }, 1_000)
}

/** `retryMs`: between two attempts to reach a Sentinel. */
function open(Client: typeof Redis, { target, log }: ConnectionOptions, options: RedisOptions, retryMs: number): Redis {
  const redis =
    target.kind === 'server'
      ? new Client(target.url, options)
      : revived(new Client({ ...options, ...sentinelOptions(target, retryMs) }))
  return redis.on('error', (error: Error) => log(`The connection to ${target.shown} is lost: ${error.message}`, error))
}

/** Why the first Sentinel cannot be connected to: ioredis does not report its own attempts. */
export async function firstProblem(target: Extract<RedisTarget, { kind: 'sentinel' }>): Promise<Error | undefined> {
  const sentinel = new Redis({
    ...target.sentinelCredentials,
    ...target.sentinels[0],
    tls: target.tls ? {} : undefined,
    connectTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: () => null,
    lazyConnect: true,
  })
  let problem: Error | undefined
  sentinel.on('error', (error: Error) => {
    problem = error
  })
  await sentinel.connect().catch((thrown: unknown) => {
    problem ??= asError(thrown)
  })
  sentinel.disconnect()
  return problem
}

/**
 * ioredis gives up for good when a Sentinel tells of a new master while another is asked for the old one. BullMQ does
 * the same for the blocking connections that it makes.
 */
function revived(redis: Redis): Redis {
  let isClosed = false
  const disconnect = redis.disconnect.bind(redis)
  redis.disconnect = (reconnect = false) => {
    isClosed ||= !reconnect
    disconnect(reconnect)
  }
  const connect = () => {
    // A failure is an error event and another end.
    if (!isClosed) redis.connect().catch(() => undefined)
  }
  return redis.on('end', () => setTimeout(connect, REVIVED_AFTER_MS))
}

/** Reconnects, and sends the command again, if a master has become a replica behind the same address. */
function reconnectOnError(error: Error): 2 | false {
  return error.message.startsWith('READONLY') ? 2 : false
}

function sentinelOptions(target: Extract<RedisTarget, { kind: 'sentinel' }>, retryMs: number) {
  const { sentinels, name, db, credentials, sentinelCredentials, tls } = target
  const { username, password } = sentinelCredentials
  return {
    sentinels,
    name,
    db,
    ...credentials,
    sentinelUsername: username,
    sentinelPassword: password,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // A master that hangs keeps its connections: only the Sentinels tell that another has replaced it.
    failoverDetector: true,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    sentinelRetryStrategy: () => retryMs,
    sentinelReconnectStrategy: () => retryMs,
  }
}

type Command = Parameters<Redis['sendCommand']>[0]

/**
 * Not ioredis' own `commandTimeout`, not even with `autoResendUnfulfilledCommands: false`: with it "a process that
 * stood still …" (test/queue/redis.test.ts) fails, as its timer comes before the replies, and "sends no command …"
 * (test/queue/redis/connection-redis.test.ts) fails, as it sends commands after they timed out.
 */
class FastRedis extends Redis {
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    return mayBeSent(args[0]) ? super.sendCommand(...args) : args[0].promise
  }
}

const timed = new WeakSet<Command>()

/** Begins the command's time when it is sent first; false when that is over. */
function mayBeSent(command: Command): boolean {
  if (command.isSettled) return false
  if (timed.has(command)) return true
  timed.add(command)
  const timeOut = () => command.reject(new Error('Command timed out'))
  // Node reads from sockets between timers and immediates.
  const timer = setTimeout(() => setImmediate(timeOut), COMMAND_TIMEOUT_MS)
  const clear = () => clearTimeout(timer)
  command.promise.then(clear, clear)
  return true
}
