// Waits until a replica has what was written, so that a failover does not lose it.
import { asError } from '../errors.ts'
import type { RedisConnection } from '../types.ts'

/** How long it is believed whether there is a replica. */
const ASKED_EVERY_MS = 3_000
/**
 * A master that loses its last replica may be about to be replaced by it: for so long since the last sign of a replica
 * nothing counts as added. Sentinels make the old master a replica within about two seconds after they promoted one.
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
}

/**
 * Returns a function that resolves when a replica has everything that the master of the key's slot had answered before,
 * from whichever connection; at once where no replica has confirmed anything. Rejects if none confirms in time, and for
 * ten seconds after the last replica has gone.
 */
export function replicaConfirmation({ redis, key, waitMs, now }: ReplicaOptions): () => Promise<void> {
  let asked: { at: number; online: boolean } | undefined
  let lastOnline = Number.NEGATIVE_INFINITY
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  async function isOnline(): Promise<boolean> {
    const at = now()
    if (asked === undefined || at < asked.at || at - asked.at >= ASKED_EVERY_MS)
      asked = { at, online: await ask(redis, key) }
    if (asked.online) lastOnline = asked.at
    return asked.online
  }

  async function confirm(): Promise<void> {
    if (await isOnline()) {
      if (await isConfirmed(redis, key, waitMs)) return
      // It may have gone since.
      asked = undefined
      if (await isOnline()) throw new Error(`No replica has confirmed within ${waitMs} ms.`)
    }
    if (now() - lastOnline < REPLACED_WITHIN_MS)
      throw new Error('The last replica has gone: its master may be about to be replaced.')
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

async function isConfirmed(redis: RedisConnection, key: string, waitMs: number): Promise<boolean> {
  // WAIT is for the writes of its own connection, so one comes first: it is behind all others.
  const [, confirmed] = await onOwner(redis, key, (pipeline) => pipeline.set(key, '', 'PX', KEPT_MS).wait(1, waitMs))
  return Number(confirmed) > 0
}

async function ask(redis: RedisConnection, key: string): Promise<boolean> {
  const [, info] = await onOwner(redis, key, (pipeline) => pipeline.exists(key).info('replication'))
  // A replica is called online, with offset 0, while it still loads what it got.
  return /^slave\d+:.*\bstate=online,offset=[1-9]/m.test(String(info))
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
