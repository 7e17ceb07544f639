// Moves the journal of a running installation from Redis to a database: most of it while everything works on, and the
// rest while evaluations wait.
import type { PostgresStore, RedisConnection } from '../../queue/types.ts'
import { DAY_MS, dayOf } from '../days.ts'
import { key, recordKeyOf } from '../records/keys.ts'
import { dayOfMember, type History, memberTableOf, recordTableOf } from '../stores/history.ts'
import { readMove, writeMove } from '../stores/redis-layout.ts'
import type { Put } from '../stores/store.ts'
import { type PostgresTarget, postgresTarget } from './postgres-target.ts'
import { type RedisSource, redisSource } from './redis-source.ts'

const kinds: History[] = ['deliveries', 'decisions']

/** `history`: evaluations go on. `rest`: they wait. */
export type MoveStage = 'history' | 'rest'

export interface MoveOptions {
  redis: RedisConnection
  prefix: string
  database: PostgresStore
  /** The database, without credentials. */
  to: string
  /** `done` of `all` deliveries and decisions; of the rest, how many records: before it begins, 0. */
  onProgress(stage: MoveStage, done: number, all?: number): void
}

/**
 * Copies history, stops all use of the journal in Redis, copies the rest, and marks the journal as moved: from then on
 * only processes that know the database use it. Run again after an interruption, it goes on. Deliveries are accepted all
 * the time. Returns false where the journal was moved before.
 */
export async function moveJournal({ redis, prefix, database, to, onProgress }: MoveOptions): Promise<boolean> {
  if ((await readMove(redis, prefix))?.state === 'moved') return false
  const source = redisSource(redis, prefix)
  const target = postgresTarget(database.pool, database.tables)
  // Deliveries that change state do so within a day, or in a replay.
  const since = dayOf(Date.now() - DAY_MS)
  const sizes = await Promise.all(kinds.map((kind) => source.size(kind)))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  const count = (stage: MoveStage) => (records: number) => {
    done += records
    onProgress(stage, done, ...(stage === 'history' ? [all] : []))
  }
  count('history')(0)
  await copyHistory(source, target, 0, count('history'))
  // What a process did and could not store is then as after a crash of that process.
  await writeMove(redis, prefix, { state: 'moving', to })
  done = 0
  count('rest')(0)
  await target.clear()
  await copyRest(source, target, count('rest'))
  await copyHistory(source, target, since, count('rest'))
  await writeMove(redis, prefix, { state: 'moved', to })
  return true
}

/** Copies what is missing or differs, of the days from `since` on. */
async function copyHistory(
  source: RedisSource,
  target: PostgresTarget,
  since: number,
  count: (records: number) => void,
): Promise<void> {
  for (const kind of kinds)
    for await (const members of recent(source.members(key(kind)), since)) {
      await copyRecords(source, target, members)
      count(members.length)
    }
  for await (const names of source.indices())
    for (const name of names)
      if (memberTableOf(name) !== 'member')
        for await (const members of recent(source.members(name), since))
          await target.index(members.map((member) => ({ name, member })))
}

/** Ends before the first day that does not count: members come newest first. */
async function* recent(batches: AsyncGenerator<string[]>, since: number): AsyncGenerator<string[]> {
  for await (const members of batches) {
    const wanted = members.filter((member) => dayOfMember(member) >= since)
    if (wanted.length > 0) yield wanted
    if (wanted.length < members.length) return
  }
}

/** The records that the members name, and the bodies of deliveries. */
async function copyRecords(source: RedisSource, target: PostgresTarget, members: readonly string[]): Promise<void> {
  const times = new Map<string, number>()
  for (const member of members) {
    const recordKey = recordKeyOf(member)
    if (times.has(recordKey)) continue
    const at = Number(member.slice(0, member.indexOf(' ')))
    times.set(recordKey, at)
    const [kind, id] = JSON.parse(recordKey) as [string, string]
    if (kind === 'delivery') times.set(key('body', id), at)
  }
  const known = await target.known([...times.keys()])
  // Only deliveries change.
  const wanted = [...times.keys()].filter((each) => !known.has(each) || recordTableOf(each) === 'delivery')
  for await (const records of source.records(wanted)) {
    const there = await target.read(records.map((each) => each.key))
    const missing = records.filter(({ value }, at) => value !== there[at])
    if (missing.length > 0)
      await target.put(missing.map((record): Put => ({ ...record, at: times.get(record.key) ?? 0 })))
  }
}

async function copyRest(source: RedisSource, target: PostgresTarget, count: (records: number) => void): Promise<void> {
  for await (const keys of source.recordKeys()) {
    const state = keys.filter((each) => recordTableOf(each) === 'record')
    for await (const records of source.records(state)) {
      if (records.length > 0) await target.put(records)
      count(records.length)
    }
  }
  for await (const names of source.indices())
    for (const name of names)
      if (memberTableOf(name) === 'member')
        for await (const members of source.members(name))
          await target.index(members.map((member) => ({ name, member })))
  for await (const lists of source.lists()) await target.lists(lists)
  for await (const tallies of source.tallies()) await target.tallies(tallies)
}
