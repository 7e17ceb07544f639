// What Redis says of the journal as a whole: its version, whether it was moved away, and whose it is.
import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../queue/types.ts'
import { JournalMisconfigured, JournalTooNew } from '../errors.ts'

/** Raised when the previous version would misread keys or records. */
const LAYOUT = 2

/** A newer version is left alone (as in postgres-migrations.ts). */
const layoutKey = (prefix: string) => `${prefix}:journal:layout`
/** While it exists, no process reads or writes the journal in Redis. */
export const movedKey = (prefix: string) => `${prefix}:journal:moved`
const installationKey = (prefix: string) => `${prefix}:journal:installation`

/** `moving`: what changes is being copied. `moved`: the journal is there. */
export interface Move {
  state: 'moving' | 'moved'
  /** Where to, without credentials. */
  to: string
}

/**
 * Stores the version where there is none, or an older one. Throws JournalTooNew, and JournalMisconfigured where the
 * journal was moved.
 */
export async function claimRedisLayout(redis: RedisConnection, prefix: string): Promise<void> {
  const move = await readMove(redis, prefix)
  if (move?.state === 'moved')
    throw new JournalMisconfigured(`The journal was moved to ${move.to}: set BELLHOP_JOURNAL_URL to that database.`)
  await redis.set(layoutKey(prefix), LAYOUT, 'NX')
  const found = Number(await redis.get(layoutKey(prefix)))
  if (found > LAYOUT) throw new JournalTooNew(found, LAYOUT)
  if (found < LAYOUT) await redis.set(layoutKey(prefix), LAYOUT)
}

/** Whether a journal is stored in Redis. */
export async function hasRedisJournal(redis: RedisConnection, prefix: string): Promise<boolean> {
  return (await redis.exists(layoutKey(prefix))) === 1
}

/** Undefined where the journal was never moved. */
export async function readMove(redis: RedisConnection, prefix: string): Promise<Move | undefined> {
  const text = await redis.get(movedKey(prefix))
  return text === null ? undefined : (JSON.parse(text) as Move)
}

export async function writeMove(redis: RedisConnection, prefix: string, move: Move): Promise<void> {
  await redis.set(movedKey(prefix), JSON.stringify(move))
}

/** After it, the journal in Redis is used as before. */
export async function cancelMove(redis: RedisConnection, prefix: string): Promise<void> {
  await redis.del(movedKey(prefix))
}

/** The id of the installation, which its queue keeps. */
export async function installationOf(redis: RedisConnection, prefix: string): Promise<string> {
  await redis.set(installationKey(prefix), randomUUID(), 'NX')
  const id = await redis.get(installationKey(prefix))
  if (id === null) throw new Error('Redis does not keep what it is given')
  return id
}
