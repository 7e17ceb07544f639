// Whether queue and database belong together: what a process checks before it opens the journal. Nothing is changed.
import type { RedisStore, SqlPool, StoreConnection } from '../queue/types.ts'
import { JournalMisconfigured } from './errors.ts'
import { checkTables, type PostgresLayout, readPostgresLayout } from './stores/postgres-layout.ts'
import { checkRedisLayout, type RedisLayout, readRedisLayout } from './stores/redis-layout.ts'

export interface JournalPlace {
  queue: RedisStore
  /** Of the database that BELLHOP_JOURNAL_URL names. */
  pool: SqlPool
  schema: string
  /** The database, for people. */
  shown: string
}

/** `move`: from Redis to the database. `take_over`: the journal there, also that of another installation. */
export type Opening = 'open' | 'move' | 'take_over'

export interface JournalLayout {
  redis: RedisLayout
  tables: PostgresLayout
}

/**
 * What Redis and the database say of the journal. Throws JournalTooNew, and JournalMisconfigured where the database may
 * not be opened so. Changes nothing.
 */
export async function checkJournalDatabase(place: JournalPlace, opening: Opening): Promise<JournalLayout> {
  const { queue, pool, schema } = place
  const [redis, tables] = await Promise.all([
    readRedisLayout(queue.redis, queue.prefix),
    readPostgresLayout(pool, schema),
  ])
  const refusal = refusals[opening]({ redis, tables }, place)
  if (refusal !== undefined) throw new JournalMisconfigured(refusal)
  return { redis, tables }
}

/**
 * For a process without BELLHOP_JOURNAL_URL: throws JournalTooNew, and JournalMisconfigured where the journal of this
 * queue is in a database. Changes nothing.
 */
export async function checkJournalOfQueue(store: StoreConnection): Promise<void> {
  if (store.kind === 'redis') await checkRedisLayout(store.redis, store.prefix)
  else await checkTables(store)
}

type Refusal = (layout: JournalLayout, place: JournalPlace) => string | undefined

const refusals: Record<Opening, Refusal> = {
  open(layout, { schema, shown }) {
    const { redis, tables } = layout
    if (redis.move?.state === 'moving')
      return (
        `The journal of this installation is being moved to ${redis.move.to}: wait for the end of bellhop journal ` +
        'move, or run it again.'
      )
    if (redis.move !== undefined)
      return isOwn(layout)
        ? undefined
        : `BELLHOP_JOURNAL_URL names ${shown}, which holds ${whose(layout)}: that of this one is in ${redis.move.to}. ` +
            'Where that is lost for good: bellhop journal take-over.'
    if (redis.version !== undefined)
      return isOwn(layout) && !tables.isEmpty
        ? `Both Redis and ${shown} hold a journal of this installation, as after a start without BELLHOP_JOURNAL_URL. ` +
            'To use only the one in the database: bellhop journal take-over.'
        : `The journal of this installation is in Redis. Move it to ${shown} first: bellhop journal move --to URL.`
    return tables.owner === undefined || isOwn(layout) ? undefined : ofAnother(schema, shown)
  },
  move(layout, { schema, shown }) {
    const { redis, tables } = layout
    if (redis.move?.state === 'moved')
      return isOwn(layout)
        ? undefined
        : `The journal of this installation is in ${redis.move.to}, and not in ${shown}: only a journal in Redis can ` +
            'be moved.'
    if (redis.version === undefined) return 'No journal of this installation is in Redis: there is nothing to move.'
    if (tables.owner !== undefined && tables.owner.installation !== redis.installation) return ofAnother(schema, shown)
    return isOwn(layout) && !tables.isEmpty
      ? `${shown} holds a journal of this installation already, which a move would delete. To use only that one, and ` +
          'not the one in Redis: bellhop journal take-over.'
      : undefined
  },
  take_over(layout, { shown }) {
    const { redis, tables } = layout
    if (isOwn(layout)) return undefined
    if (tables.owner?.run !== undefined)
      return `${shown} holds half of a journal: bellhop journal move has not ended there.`
    return redis.version !== undefined && redis.move?.state !== 'moved'
      ? 'The journal of this installation is in Redis, and would be lost. Move it to tables of its own: bellhop journal ' +
          'move --to URL.'
      : undefined
  },
}

/** Whether the tables hold the whole journal of this installation. */
function isOwn({ redis, tables }: JournalLayout): boolean {
  const { owner } = tables
  if (owner === undefined || owner.installation !== redis.installation) return false
  // Redis says first that a move has ended.
  return owner.run === undefined || (redis.move?.state === 'moved' && redis.move.run === owner.run)
}

/** Of tables that are not this installation's own. */
function whose({ redis, tables: { owner } }: JournalLayout): string {
  if (owner === undefined) return 'no journal'
  return owner.installation === redis.installation ? 'half of a journal' : 'the journal of another installation'
}

const ofAnother = (schema: string, shown: string) =>
  `The schema ${schema} at ${shown} holds the journal of another installation, with another queue. Give this one ` +
  'tables of its own (BELLHOP_JOURNAL_URL=postgres://…?schema=NAME); or, where the other queue is lost for good, ' +
  'take its journal over: bellhop journal take-over.'
