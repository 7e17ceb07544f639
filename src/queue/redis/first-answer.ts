// What is asked of a Redis before it is used, and why it cannot be.
import { asError, QueueMisconfigured, QueueUnavailable } from '../errors.ts'
import type { RedisConnection } from '../types.ts'
import { firstProblem } from './connection.ts'
import type { RedisTarget } from './target.ts'

/** Throws QueueUnavailable if Redis does not answer, QueueMisconfigured if it may lose jobs or is of another kind. */
export async function refuseUnusable(redis: RedisConnection, target: RedisTarget): Promise<void> {
  // A command that nobody answers only says that it timed out: why is in the errors of the connection.
  let why: Error | undefined
  const remember = (error: Error) => {
    if (error.message !== '') why = error
  }
  const events = ['error', 'sentinelError']
  for (const event of events) redis.on(event, remember)
  try {
    const info = await redis.info()
    refuseEviction(info, target)
    refuseOtherKind(info, target)
  } catch (thrown) {
    if (thrown instanceof QueueMisconfigured) throw thrown
    const known = why ?? asError(thrown)
    const isHidden = /Connection is closed|timed out/.test(known.message)
    const cause = (isHidden && target.kind === 'sentinel' ? await firstProblem(target) : undefined) ?? known
    throw new QueueUnavailable(`The Redis at ${target.shown} cannot be used: ${reasonOf(cause, target)}`, { cause })
  } finally {
    for (const event of events) redis.off(event, remember)
  }
}

function reasonOf({ message }: Error, target: RedisTarget): string {
  if (target.kind === 'sentinel' && /invalid reply: null$|No such master/.test(message))
    return `its Sentinels know no master of the name "${target.name}".`
  return message
}

/** Asks INFO, as hosted Redis services forbid CONFIG. */
function refuseEviction(info: string, { shown }: RedisTarget): void {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy === undefined || policy === 'noeviction') return
  throw new QueueMisconfigured(
    `The Redis at ${shown} has the maxmemory-policy "${policy}": it may drop jobs when its memory is full. ` +
      'Set "maxmemory-policy noeviction" (redis-cli CONFIG SET maxmemory-policy noeviction, and in redis.conf), ' +
      'or give Bellhop a Redis of its own.',
  )
}

function refuseOtherKind(info: string, { shown }: RedisTarget): void {
  if (/^redis_mode:sentinel/m.test(info))
    throw new QueueMisconfigured(
      `The server at ${shown} is a Sentinel: write redis+sentinel://host:26379,host:26379/MASTER_NAME.`,
    )
  if (/^cluster_enabled:1/m.test(info))
    throw new QueueMisconfigured(
      `The Redis at ${shown} is a node of a Redis Cluster: give Bellhop one server, or a master that Sentinels watch.`,
    )
}
