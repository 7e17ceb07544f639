// What is asked of a Redis before it is used, and why it cannot be.
import { asError, QueueMisconfigured, QueueUnavailable } from '../errors.ts'
import type { RedisConnection } from '../types.ts'
import { firstProblem } from './connection.ts'
import { infoOfMasters, PREFIX } from './masters.ts'
import type { RedisTarget } from './target.ts'

/** Throws QueueUnavailable if Redis does not answer, and QueueMisconfigured if it would lose jobs or is of another kind. */
export async function refuseUnusable(redis: RedisConnection, target: RedisTarget): Promise<void> {
  // A command that nobody answers only says that it timed out: why is in the errors of the connection.
  let why: Error | undefined
  const note = (error: Error) => {
    const last = 'lastNodeError' in error ? asError(error.lastNodeError) : error
    if (last.message !== '') why = last
  }
  const events = ['error', 'sentinelError', 'node error']
  for (const event of events) redis.on(event, note)
  try {
    const infos = await infoOfMasters(redis)
    for (const info of infos) refuseEviction(info, target)
    if (target.kind === 'server') await refuseOtherKind(redis, infos[0] ?? '', target)
  } catch (thrown) {
    if (thrown instanceof QueueMisconfigured) throw thrown
    const noted = why ?? asError(thrown)
    const hidden = target.kind !== 'server' && /Connection is closed|timed out|None of startup/.test(noted.message)
    const cause = (hidden ? await firstProblem(target) : undefined) ?? noted
    throw new QueueUnavailable(`The Redis at ${target.shown} cannot be used: ${reasonOf(cause, target)}`, { cause })
  } finally {
    for (const event of events) redis.off(event, note)
  }
}

function reasonOf({ message }: Error, target: RedisTarget): string {
  if (target.kind === 'sentinel' && /invalid reply: null$|No such master/.test(message))
    return `its Sentinels know no master of the name "${target.name}".`
  return message
}

/** By INFO, as hosted Redis services forbid CONFIG. */
function refuseEviction(info: string, { shown }: RedisTarget): void {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy === undefined || policy === 'noeviction') return
  throw new QueueMisconfigured(
    `The Redis at ${shown} has the maxmemory-policy "${policy}": it may drop jobs when its memory is full. ` +
      'Set "maxmemory-policy noeviction" (redis-cli CONFIG SET maxmemory-policy noeviction, and in redis.conf), ' +
      'or give Bellhop a Redis of its own.',
  )
}

async function refuseOtherKind(redis: RedisConnection, info: string, { shown }: RedisTarget): Promise<void> {
  if (/^redis_mode:sentinel/m.test(info))
    throw new QueueMisconfigured(
      `The server at ${shown} is a Sentinel: write redis+sentinel://host:26379,host:26379/MASTER_NAME.`,
    )
  // A node of a cluster may own the slot of all keys.
  if (!/^cluster_enabled:1/m.test(info)) return
  await redis.get(PREFIX).catch((thrown) => {
    throw new QueueMisconfigured(
      `The Redis at ${shown} is a node of a cluster and refers to others (${asError(thrown).message}): ` +
        'write redis+cluster://host:6379,host:6379.',
    )
  })
}
