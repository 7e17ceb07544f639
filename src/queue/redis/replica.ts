// Waits until a replica has what was written, so that a failover does not lose it.
import type { RedisConnection } from '../types.ts'
import { PREFIX } from './connection.ts'

/** How long a replica may take to confirm. */
const CONFIRMED_WITHIN_MS = 500
/** So often at most it is asked how many replicas are online. */
const ASKED_EVERY_MS = 3_000
/**
 * A master that loses a replica may be about to be replaced by it, and what it still gets is lost then. For so long
 * since the replica was there nothing counts as added. Sentinels make the old master a replica in about two seconds.
 */
const REPLACED_WITHIN_MS = 10_000
/** The key only serves to be written. */
const KEY = `${PREFIX}:replicated`
const KEPT_MS = 60_000

export interface ReplicaOptions {
  /** A connection for this alone: Redis answers nothing else on it while it waits. */
  redis: RedisConnection
  now: () => number
  /** Notified when a replica comes online, and when none is any more. */
  onReplicas?: (online: boolean) => void
}

/**
 * Returns a function that resolves when the replicas have everything that the master had answered before, from
 * whichever connection; at once if no replica has confirmed anything. One that is slow is waited for half a second
 * at most, if another one has confirmed. Rejects if none confirms in time, and for ten seconds after a replica is gone.
 */
export function replicaConfirmation({ redis, now, onReplicas }: ReplicaOptions): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY
  let wasOnline: boolean | undefined
  /** The most replicas that were online in the last ten seconds, and when last. */
  let most = { count: 0, at: Number.NEGATIVE_INFINITY }
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  async function online(): Promise<number> {
    askedAt = now()
    const count = await onlineReplicas(redis)
    // At the start nothing has changed.
    if (wasOnline !== undefined && wasOnline !== count > 0) onReplicas?.(count > 0)
    wasOnline = count > 0
    if (count >= most.count || askedAt - most.at >= REPLACED_WITHIN_MS) most = { count, at: askedAt }
    return count
  }

  async function confirm(): Promise<void> {
    if (now() - askedAt >= ASKED_EVERY_MS) await online()
    if (most.count === 0) return
    const confirmed = await confirmedBy(redis, most.count)
    if (confirmed >= most.count) return
    const count = await online()
    if (count < most.count) throw new Error('A replica has gone: its master may be about to be replaced.')
    if (count > 0 && confirmed === 0) throw new Error(`No replica has confirmed within ${CONFIRMED_WITHIN_MS} ms.`)
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

/** How many of the replicas have confirmed in time. */
async function confirmedBy(redis: RedisConnection, replicas: number): Promise<number> {
  // WAIT is for the writes of its own connection, so one comes first: it is behind all others.
  const commands = redis.pipeline().set(KEY, '', 'PX', KEPT_MS).wait(replicas, CONFIRMED_WITHIN_MS)
  const [[refused] = [], [failed, confirmed] = []] = (await commands.exec()) ?? []
  const error = refused ?? failed
  if (error) throw error
  return Number(confirmed)
}

/** How many replicas are online. Rejects if Redis does not answer. */
export async function onlineReplicas(redis: RedisConnection): Promise<number> {
  return onlineIn(await redis.info('replication'))
}

/** INFO calls a replica online, with offset 0, while it still loads what it got. */
export function onlineIn(info: string): number {
  return info.match(/^slave\d+:.*\bstate=online,offset=[1-9]/gm)?.length ?? 0
}
