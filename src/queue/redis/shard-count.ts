// Into how many shards the queues are divided: recorded in Redis, and changed only while they hold no work.
import { QueueMisconfigured } from '../errors.ts'
import type { RedisConnection } from '../types.ts'
import { mastersOf, PREFIX } from './masters.ts'

const RECORD = `${PREFIX}:queue:shards`
const SCANNED_AT_ONCE = 1_000
const UNFINISHED = ['wait', 'paused', 'active', 'prioritized', 'delayed', 'failed'] as const

const SWAP = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`

/**
 * What the keys of each shard begin with: a hash tag, so that those of one are in one slot of a cluster. The tags of
 * another number are others, so that no change mixes the two.
 */
export function shardPrefixes(shards: number): string[] {
  return shards === 1 ? [PREFIX] : Array.from({ length: shards }, (_, at) => `{bellhop-${at}/${shards}}`)
}

/** The name of the connections of a process, by which another number of shards is noticed. */
export function connectionName(shards: number): string {
  return `bellhop-${shards}-shards`
}

/**
 * Records the number, or changes it if no job is unfinished and no process with the former number is connected. Throws
 * QueueMisconfigured, which says what to do.
 */
export async function claimShards(redis: RedisConnection, wanted: number, shown: string): Promise<void> {
  // What was written without a record has one shard.
  if ((await redis.get(RECORD)) === null) {
    const isNew = wanted === 1 || (await queuesOf(redis, PREFIX)).length === 0
    await redis.set(RECORD, isNew ? wanted : 1, 'NX')
  }
  for (;;) {
    const found = (await redis.get(RECORD)) ?? String(wanted)
    const from = Number.parseInt(found, 10)
    if (found === String(wanted)) return
    // While it is being changed, or where a change was interrupted, no process with either number may begin.
    const changing = `${from}>${wanted}`
    if (from === wanted) await swap(redis, found, String(wanted))
    else if (found === changing || (await swap(redis, found, changing))) {
      const reason = await whyNot(redis, from)
      if (reason !== undefined) {
        await swap(redis, changing, String(from))
        throw new QueueMisconfigured(refusal({ shown, from, wanted, reason }))
      }
      if (await swap(redis, changing, String(wanted))) return removeQueues(redis, from)
    }
  }
}

function refusal(given: { shown: string; from: number; wanted: number; reason: string }): string {
  const { shown, from, wanted, reason } = given
  return (
    `The queues in the Redis at ${shown} are divided into ${from} ${from === 1 ? 'shard' : 'shards'} and cannot be ` +
    `divided into ${wanted} yet: ${reason}. Stop the receivers, let the workers with BELLHOP_SHARDS=${from} finish all ` +
    'jobs, retry or remove the failed ones, discard evaluations at a later time, which sweeps schedule again ' +
    '(bellhop queue discard scheduledEvaluations --state delayed --apply), stop all processes (scale Deployments to 0), ' +
    `and then start with BELLHOP_SHARDS=${wanted}.`
  )
}

async function whyNot(redis: RedisConnection, from: number): Promise<string | undefined> {
  const lists = await Promise.all(mastersOf(redis).map((master) => master.client('LIST')))
  if (lists.some((list) => String(list).includes(`name=${connectionName(from)} `)))
    return `a process with BELLHOP_SHARDS=${from} runs`
  const counted: string[] = []
  for (const prefix of shardPrefixes(from)) {
    for (const name of await queuesOf(redis, prefix)) {
      const jobs = await unfinished(redis, `${prefix}:${name}`)
      if (jobs > 0) counted.push(`${name} has ${jobs} unfinished or failed ${jobs === 1 ? 'job' : 'jobs'}`)
    }
  }
  return counted.length === 0 ? undefined : counted.join(', ')
}

/** Without the next job of a schedule: a schedule is set again at the start. */
async function unfinished(redis: RedisConnection, queue: string): Promise<number> {
  let jobs = 0
  for (const state of UNFINISHED) {
    const key = `${queue}:${state}`
    if ((await redis.type(key)) === 'list') jobs += await redis.llen(key)
    else jobs += (await redis.zrange(key, '0', '-1')).filter((id) => !id.startsWith('repeat:')).length
  }
  return jobs
}

/** The names of the queues with this prefix. */
async function queuesOf(redis: RedisConnection, prefix: string): Promise<string[]> {
  const ending = ':meta'
  const keys = await keysLike(redis, `${prefix}:*${ending}`)
  return keys.map((key) => key.slice(prefix.length + 1, -ending.length))
}

/** Only finished jobs are left in them. */
async function removeQueues(redis: RedisConnection, shards: number): Promise<void> {
  for (const prefix of shardPrefixes(shards)) {
    for (const name of await queuesOf(redis, prefix)) {
      const keys = await keysLike(redis, `${prefix}:${name}:*`)
      for (let at = 0; at < keys.length; at += SCANNED_AT_ONCE)
        await redis.unlink(...keys.slice(at, at + SCANNED_AT_ONCE))
    }
  }
}

async function keysLike(redis: RedisConnection, pattern: string): Promise<string[]> {
  const found = new Set<string>()
  // On a cluster they are known once it has answered.
  for (const master of mastersOf(redis)) {
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      const [next, keys] = await master.scan(cursor, 'MATCH', pattern, 'COUNT', SCANNED_AT_ONCE)
      cursor = next
      for (const key of keys) found.add(key)
    }
  }
  return [...found]
}

async function swap(redis: RedisConnection, from: string, to: string): Promise<boolean> {
  return (await redis.eval(SWAP, 1, RECORD, from, to)) === 1
}
