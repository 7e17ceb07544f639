// What Redis says of the journal as a whole: its version, whether it is in a database, and whose it is.
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

/**
 * Where the journal is, if not in Redis. `moving`: what changes is being copied to a database. `moved`: it is in that
 * database, and perhaps was never in Redis.
 */
export interface Move {
  state: 'moving' | 'moved'
  /** The database, without credentials: for people, as one database has many addresses. */
  to: string
  /** The run of `bellhop journal move`. Once that has ended, there is none. */
  run?: string
}

export interface RedisLayout {
  /** Absent: no journal was ever in Redis. */
  version?: number
  move?: Move
  /** Absent: nothing has asked for it yet. */
  installation?: string
}

/** Changes nothing. */
export async function readRedisLayout(redis: RedisConnection, prefix: string): Promise<RedisLayout> {
  const [version, move, installation] = await redis.mget(layoutKey(prefix), movedKey(prefix), installationKey(prefix))
  return {
    ...(version == null ? {} : { version: Number(version) }),
    ...(move == null ? {} : { move: JSON.parse(move) as Move }),
    ...(installation == null ? {} : { installation }),
  }
}

/** Throws JournalTooNew, and JournalMisconfigured where the journal is in a database. Changes nothing. */
export async function checkRedisLayout(redis: RedisConnection, prefix: string): Promise<void> {
  const { version = 0, move } = await readRedisLayout(redis, prefix)
  if (move?.state === 'moved')
    throw new JournalMisconfigured(
      `The journal of this installation is in ${move.to}: set BELLHOP_JOURNAL_URL to that database.`,
    )
  if (version > LAYOUT) throw new JournalTooNew(version, LAYOUT)
}

/** Stores the version where there is none, or an older one. Throws as `checkRedisLayout`. */
export async function claimRedisLayout(redis: RedisConnection, prefix: string): Promise<void> {
  await checkRedisLayout(redis, prefix)
  await redis.set(layoutKey(prefix), LAYOUT, 'NX')
  if (Number(await redis.get(layoutKey(prefix))) < LAYOUT) await redis.set(layoutKey(prefix), LAYOUT)
}

/** Undefined where the journal is in Redis, or nowhere yet. */
export async function readMove(redis: RedisConnection, prefix: string): Promise<Move | undefined> {
  return (await readRedisLayout(redis, prefix)).move
}

// In one step: two commands, or a command and a process that starts, may come at once.
const CHANGE_MOVE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[3] == 'in_redis' and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
return 1`

/**
 * Stores `to` in place of `from`, as `readMove` gave it. Returns false, and changes nothing, where something else is
 * stored by now, and with `unless: 'in_redis'` where a journal is stored in Redis.
 */
export async function changeMove(
  redis: RedisConnection,
  prefix: string,
  { from, to, unless }: { from: Move | undefined; to: Move | undefined; unless?: 'in_redis' },
): Promise<boolean> {
  const text = (move: Move | undefined) => (move === undefined ? '' : JSON.stringify(move))
  const keys = [movedKey(prefix), layoutKey(prefix)]
  return (await redis.eval(CHANGE_MOVE, 2, ...keys, text(from), text(to), unless ?? '')) === 1
}

/** The id of the installation, which its queue keeps. */
export async function installationOf(redis: RedisConnection, prefix: string): Promise<string> {
  await redis.set(installationKey(prefix), randomUUID(), 'NX')
  const id = await redis.get(installationKey(prefix))
  if (id === null) throw new Error('Redis does not keep what it is given')
  return id
}
