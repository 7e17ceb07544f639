// Waits until a replica has what was written, so that a failover does not lose it.
import { asError } from '../errors.ts'
import type { RedisConnection } from '../types.ts'
import { infoOfMasters } from './masters.ts'

/** So often at most it is asked how many replicas are online. */
const ASKED_EVERY_MS = 3_000
/**
 * A master that loses a replica may be about to be replaced by it, and what it still gets is lost then. For so long since
 * the replica was there nothing counts as added. Sentinels make the old master a replica within about two seconds.
 */
const REPLACED_WITHIN_MS = 10_000
/** The key only serves to be written. */
const KEPT_MS = 60_000

export interface ReplicaOptions {
  /** Of its own: Redis answers nothing else on it while it waits. */
  redis: RedisConnection
  /** In the slot whose writes are to be confirmed. */
  key: string
  /** How long a replica may take. */
  waitMs: number
  now: () => number
  /** Notified whether a replica is online each time that it was asked. */
  onAsked?: (online: boolean) => void
}

/**
 * Returns a function that resolves when the replicas have everything that the master of the key's slot had answered
 * before, from whichever connection; at once where no replica has confirmed anything. One that is slow is not waited for
 * longer than `waitMs`, if another one has confirmed. Rejects if none confirms in time, and for ten seconds after a
 * replica has gone.
 */
export function replicaConfirmation({ redis, key, waitMs, now, onAsked }: ReplicaOptions): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY
  /** The most replicas that were online in the last ten seconds, and when last. */
  let most = { count: 0, at: Number.NEGATIVE_INFINITY }
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  async function online(): Promise<number> {
    askedAt = now()
    const count = await ask(redis, key)
    onAsked?.(count > 0)
    if (count >= most.count || askedAt - most.at >= REPLACED_WITHIN_MS) most = { count, at: askedAt }
    return count
  }

  async function confirm(): Promise<void> {
    if (now() - askedAt >= ASKED_EVERY_MS) await online()
    if (most.count === 0) return
    const confirmed = await confirmedBy(redis, key, { replicas: most.count, waitMs })
    if (confirmed >= most.count) return
    const count = await online()
    if (count < most.count) throw new Error('A replica has gone: its master may be about to be replaced.')
    if (count > 0 && confirmed === 0) throw new Error(`No replica has confirmed within ${waitMs} ms.`)
  }

  // What was written while one waits is confirmed by the next, all at once.
  return () => {
    next ??= running.then(() => {
      next = undefined
      const confirming = confirm()
      running = confirming.catch(() => undefined)
      return confirming
    })
    return next
  }
}

/** By how many, of so many that are waited for. */
async function confirmedBy(
  redis: RedisConnection,
  key: string,
  { replicas, waitMs }: { replicas: number; waitMs: number },
): Promise<number> {
  // WAIT is for the writes of its own connection, so one comes first: it is behind all others.
  const [, confirmed] = await onOwner(redis, key, (pipeline) =>
    pipeline.set(key, '', 'PX', KEPT_MS).wait(replicas, waitMs),
  )
  return Number(confirmed)
}

/** How many replicas are online. */
async function ask(redis: RedisConnection, key: string): Promise<number> {
  const [, info] = await onOwner(redis, key, (pipeline) => pipeline.exists(key).info('replication'))
  return onlineIn(String(info))
}

/** How many of the replicas are online; of a cluster, for the master with the fewest. Rejects if Redis does not answer. */
export async function onlineReplicas(redis: RedisConnection): Promise<number> {
  return Math.min(...(await infoOfMasters(redis, 'replication')).map(onlineIn))
}

/** By what INFO says: a replica is called online, with offset 0, while it still loads what it got. */
export function onlineIn(info: string): number {
  return info.match(/^slave\d+:.*\bstate=online,offset=[1-9]/gm)?.length ?? 0
}

type Pipeline = ReturnType<RedisConnection['pipeline']>

/** What a pipeline answers that begins with a command of the key: on a cluster all of it goes to the slot's master. */
async function onOwner(
  redis: RedisConnection,
  key: string,
  commands: (pipeline: Pipeline) => Pipeline,
): Promise<unknown[]> {
  for (let isRepeated = false; ; isRepeated = true) {
    const answers = (await commands(redis.pipeline()).exec()) ?? []
    const failed = answers.map(([error]) => error).find((error) => error !== null)
    if (failed === undefined) return answers.map(([, answer]) => answer)
    if (isRepeated || !/^(MOVED|ASK) /.test(asError(failed).message)) throw failed
    // A pipeline does not follow a slot that moved; a command does, and ioredis knows its master then.
    await redis.exists(key)
  }
}
