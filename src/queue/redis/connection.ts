// Connections to Redis: one that fails fast for callers that wait for an answer, and patient ones for workers.
import { Cluster, Redis } from 'ioredis'
import { asError } from '../errors.ts'
import type { RedisConnection } from '../types.ts'
import type { RedisTarget } from './target.ts'

export interface ConnectionOptions {
  target: RedisTarget
  /** What Redis lists the connection as. */
  name?: string
  log(message: string, error: Error): void
}

const COMMAND_TIMEOUT_MS = 900
/**
 * How long a node of a cluster that hangs may be asked after another has replaced it: only of a closed connection and of
 * a moved slot ioredis learns at once. To look, it opens a connection each time: workers have hundreds of clusters.
 */
const SLOTS_REFRESH_MS = { fast: 1_000, patient: 10_000 }
const REVIVED_AFTER_MS = 100

/** For callers that wait, such as the sender of a delivery: every command fails after about a second at the latest. */
export function connectFast({ target, name, log }: ConnectionOptions): RedisConnection {
  const common = {
    connectTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    ...(name !== undefined && { connectionName: name }),
  }
  const single = { ...common, enableAutoPipelining: true, retryStrategy: () => 200, reconnectOnError }
  switch (target.kind) {
    case 'server':
      return logErrors(new FastRedis(target.url, single), { target, log })
    case 'sentinel':
      return logErrors(revived(new FastRedis({ ...single, ...sentinelOptions(target, 200) })), { target, log })
    case 'cluster': {
      const options = { ...clusterOptions(target, common, 'fast'), clusterRetryStrategy: () => 200 }
      return logErrors(new FastCluster(target.nodes, options), { target, log })
    }
  }
}

/** For a worker: its commands wait until Redis is back. */
export function connectPatient({ target, log }: ConnectionOptions): RedisConnection {
  const common = { maxRetriesPerRequest: null }
  const retryStrategy = (times: number) => Math.min(times * 100, 1_000)
  const single = { ...common, retryStrategy, reconnectOnError }
  switch (target.kind) {
    case 'server':
      return logErrors(new Redis(target.url, single), { target, log })
    case 'sentinel':
      return logErrors(revived(new Redis({ ...single, ...sentinelOptions(target, 1_000) })), { target, log })
    case 'cluster': {
      const options = { ...clusterOptions(target, common, 'patient'), clusterRetryStrategy: retryStrategy }
      return logErrors(new Cluster(target.nodes, options), { target, log })
    }
  }
}

/** Why no connection to the first address comes about: of the attempts of its own ioredis does not tell. */
export async function firstProblem(target: Exclude<RedisTarget, { kind: 'server' }>): Promise<Error | undefined> {
  const credentials = target.kind === 'sentinel' ? target.sentinelCredentials : target.credentials
  const [address] = target.kind === 'sentinel' ? target.sentinels : target.nodes
  const node = new Redis({
    ...credentials,
    ...address,
    ...(target.tls ? { tls: {} } : {}),
    connectTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: () => null,
    lazyConnect: true,
  })
  let problem: Error | undefined
  node.on('error', (error: Error) => {
    problem = error
  })
  await node.connect().catch((thrown: unknown) => {
    problem ??= asError(thrown)
  })
  node.disconnect()
  return problem
}

/**
 * ioredis gives up for good when a Sentinel tells of a new master while another is asked for the old one. BullMQ does the
 * same for the blocking connections that it makes.
 */
function revived<R extends Redis>(redis: R): R {
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

/** Reconnects, and sends the command again, where a master has become a replica behind the same address. */
function reconnectOnError(error: Error): 2 | false {
  return error.message.startsWith('READONLY') ? 2 : false
}

function sentinelOptions(target: Extract<RedisTarget, { kind: 'sentinel' }>, retryMs: number) {
  const { sentinels, name, db, credentials, sentinelCredentials, tls } = target
  const { username, password } = sentinelCredentials
  return {
    ...{ sentinels, name, db },
    ...credentials,
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // A master that hangs keeps its connections: only the Sentinels tell that another has replaced it.
    failoverDetector: true,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    sentinelRetryStrategy: () => retryMs,
    sentinelReconnectStrategy: () => retryMs,
  }
}

/**
 * Without `enableAutoPipelining`: ioredis repeats a single command that a moved slot refuses, but not a pipeline of
 * which a part succeeded.
 */
function clusterOptions<Common extends object>(
  { credentials, tls }: Extract<RedisTarget, { kind: 'cluster' }>,
  common: Common,
  kind: keyof typeof SLOTS_REFRESH_MS,
) {
  return {
    redisOptions: { ...common, ...credentials, ...(tls ? { tls: {} } : {}) },
    slotsRefreshInterval: SLOTS_REFRESH_MS[kind],
    // The time of a command is limited otherwise.
    maxRedirections: Number.POSITIVE_INFINITY,
    // A certificate names the host, not the address that the name stands for.
    ...(tls ? { dnsLookup: (host: string, found: (error: null, address: string) => void) => found(null, host) } : {}),
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

/** The same for a cluster, which keeps commands itself and repeats them by the connections to its nodes. */
class FastCluster extends Cluster {
  constructor(nodes: { host: string; port: number }[], options: ReturnType<typeof clusterOptions>) {
    // Connected when the listener is there.
    super(nodes, { ...options, lazyConnect: true })
    this.on('+node', (node: Redis) => {
      const send = node.sendCommand.bind(node)
      node.sendCommand = (...sent) => (mayBeSent(sent[0]) ? send(...sent) : sent[0].promise)
    })
    // Its failure is an error event as well.
    this.connect().catch(() => undefined)
  }

  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    return mayBeSent(args[0]) ? super.sendCommand(...args) : args[0].promise
  }
}

const deadlines = new WeakMap<Command, number>()
const timed = new WeakSet<Promise<unknown>>()

/** Begins the command's time when it is sent first; false when that is over. */
function mayBeSent(command: Command): boolean {
  if (command.isSettled) return false
  const now = performance.now()
  const deadline = deadlines.get(command) ?? now + COMMAND_TIMEOUT_MS
  deadlines.set(command, deadline)
  const { promise } = command
  // A pipeline that a cluster repeats gives its commands new promises.
  if (timed.has(promise)) return true
  timed.add(promise)
  const timeOut = () => command.reject(new Error('Command timed out'))
  if (deadline <= now) {
    timeOut()
    return false
  }
  // Node reads from sockets between timers and immediates.
  const timer = setTimeout(() => setImmediate(timeOut), deadline - now)
  const clear = () => clearTimeout(timer)
  promise.then(clear, clear)
  return true
}

function logErrors<R extends RedisConnection>(redis: R, { target, log }: ConnectionOptions): R {
  redis.on('error', (error: Error) =>
    log(`The connection to ${target.shown} is lost: ${whyOf(error).message}`, whyOf(error)),
  )
  return redis
}

/** A cluster says that all nodes failed; why is in the error of the last. */
function whyOf(error: Error): Error {
  return 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error
}
