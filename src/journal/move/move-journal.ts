// Moves the journal of a running installation from Redis to a database: most of it while everything works on, and the
// rest while evaluations wait.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PostgresStore, RedisConnection, SqlClient } from '../../queue/types.ts'
import { checkJournalDatabase, type JournalLayout, type JournalPlace } from '../check-journal.ts'
import { claimJournalDatabase } from '../claim-journal.ts'
import { DAY_MS, dayOf } from '../days.ts'
import { JournalMisconfigured } from '../errors.ts'
import { indexOfUnread, indicesOfDelivery } from '../records/delivery-records.ts'
import { key, msOf, recordKeyOf } from '../records/keys.ts'
import { dayOfMember, type History, memberTableOf, recordTableOf } from '../stores/history.ts'
import { changeOwner } from '../stores/postgres-layout.ts'
import { inTransaction } from '../stores/postgres-transaction.ts'
import { changeMove, installationOf, type Move, readMove } from '../stores/redis-layout.ts'
import type { Put } from '../stores/store.ts'
import type { DeliveryRecord } from '../types.ts'
import { type PostgresTarget, postgresTarget } from './postgres-target.ts'
import { type RedisSource, redisSource } from './redis-source.ts'

const kinds: History[] = ['deliveries', 'decisions']

/** After each batch; throws where the run may not go on. */
type Count = (records: number) => Promise<void>

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
 * the time. Returns false where the journal was moved before. Throws JournalMisconfigured where another run goes on, or
 * has begun meanwhile, where the move was given up, and where the tables hold a journal.
 */
export async function moveJournal({ redis, prefix, database, to, onProgress }: MoveOptions): Promise<boolean> {
  const { pool, tables } = database
  const place: JournalPlace = { queue: { kind: 'redis', redis, prefix }, pool, schema: tables.schema, shown: to }
  return inTransaction(pool, async (client) => {
    await lockMove(client, place)
    const layout = await checkJournalDatabase(place, 'move')
    if (layout.redis.move?.state === 'moved') {
      await claimJournalDatabase(place, 'move', layout)
      return false
    }
    const run = randomUUID()
    await claimFor(run, place, layout)
    await copy(run, { redis, prefix, database, to, onProgress }, layout.redis.move)
    await claimJournalDatabase(place, 'move', await checkJournalDatabase(place, 'move'))
    return true
  })
}

/** For as long as the transaction lasts, which is that of the whole move: it needs no session of its own. */
async function lockMove(client: SqlClient, { schema, shown }: JournalPlace): Promise<void> {
  // Not every version has both.
  await client.query(
    `SELECT set_config(name, '0', true) FROM pg_settings
     WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`,
  )
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS locked', [
    `bellhop journal move to ${schema}`,
  ])
  if (rows[0]?.locked !== true)
    throw new JournalMisconfigured(`Another bellhop journal move is running, to ${shown}: this one ends.`)
}

/** Half of a journal is opened by nobody. */
async function claimFor(run: string, { queue, pool, schema }: JournalPlace, { tables }: JournalLayout): Promise<void> {
  const installation = await installationOf(queue.redis, queue.prefix)
  if (!(await changeOwner(pool, schema, { from: tables.owner, to: { installation, run } })))
    throw new JournalMisconfigured('Another process has opened the tables meanwhile: nothing is moved.')
}

/** From its middle on no process uses the journal in Redis, and after it only those that know the database. */
async function copy(run: string, options: MoveOptions, before: Move | undefined): Promise<void> {
  const { redis, prefix, database, to, onProgress } = options
  const source = redisSource(redis, prefix)
  const target = postgresTarget(database.pool, database.tables)
  // Deliveries that change state do so within a day, or in a replay, or were not read for longer.
  const since = dayOf(Date.now() - DAY_MS)
  const unread = await unreadBefore(source, since)
  const sizes = await Promise.all(kinds.map((kind) => source.size(kind)))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  const ofHistory = async (records: number) => {
    done += records
    onProgress('history', done, all)
  }
  await ofHistory(0)
  await copyHistory(source, target, 0, ofHistory)

  const moving: Move = { state: 'moving', to, run }
  const change = async (from: Move | undefined, next: Move) => {
    if (!(await changeMove(redis, prefix, { from, to: next }))) throw supersededError()
  }
  done = 0
  const ofRest = async (records: number) => {
    done += records
    onProgress('rest', done)
    if (!isDeepStrictEqual(await readMove(redis, prefix), moving)) throw supersededError()
  }
  // What a process did and could not store is then as after a crash of that process.
  await change(before, moving)
  await ofRest(0)
  await target.clear()
  await copyRest(source, target, ofRest)
  await copyHistory(source, target, since, ofRest)
  await copyDeliveries(source, target, unread, ofRest)
  await change(moving, { ...moving, state: 'moved' })
}

const supersededError = () =>
  new JournalMisconfigured('The move was given up, or another run of it has begun: this one ends.')

/** Copies what is missing or differs, of the days from `since` on. */
async function copyHistory(source: RedisSource, target: PostgresTarget, since: number, count: Count): Promise<void> {
  for (const kind of kinds)
    for await (const members of recent(source.members(key(kind)), since)) {
      await copyRecords(source, target, members)
      await count(members.length)
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

/** The keys of deliveries of days before `since` that are not read yet. */
async function unreadBefore(source: RedisSource, since: number): Promise<string[]> {
  const found: string[] = []
  for await (const members of source.members(indexOfUnread))
    found.push(...members.filter((member) => dayOfMember(member) < since).map(recordKeyOf))
  return found
}

/** As they are now, with their entries in indices. */
async function copyDeliveries(
  source: RedisSource,
  target: PostgresTarget,
  keys: readonly string[],
  count: Count,
): Promise<void> {
  for await (const records of source.records(keys)) {
    const deliveries = records.map(({ value }) => JSON.parse(value) as DeliveryRecord)
    await target.put(records.map((record, at): Put => ({ ...record, at: msOf(deliveries[at]?.receivedAt ?? '') })))
    await target.index(deliveries.flatMap(indicesOfDelivery))
    await count(records.length)
  }
}

async function copyRest(source: RedisSource, target: PostgresTarget, count: Count): Promise<void> {
  for await (const keys of source.recordKeys()) {
    const state = keys.filter((each) => recordTableOf(each) === 'record')
    for await (const records of source.records(state)) {
      if (records.length > 0) await target.put(records)
      await count(records.length)
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
