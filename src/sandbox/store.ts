// The sandbox's records on disk: two tables in an embedded PostgreSQL, read once at the start, written in transactions.
import { openDatabase } from '../embedded-postgres/open-database.ts'
import type { Changes } from './units-of-work.ts'
import { allCollections, type State } from './world.ts'

export interface Store {
  /** Writes all of it or nothing. */
  write(changes: Changes): Promise<void>
  close(): Promise<void>
}

// `json` keeps the text as it is; `jsonb` refuses what a title may hold, such as NUL.
const tables = `
  CREATE TABLE IF NOT EXISTS records (collection text, id bigint, body json NOT NULL, PRIMARY KEY (collection, id));
  CREATE TABLE IF NOT EXISTS counters (name text PRIMARY KEY, value bigint NOT NULL);
`
const putRecords = `
  INSERT INTO records SELECT * FROM unnest($1::text[], $2::bigint[], $3::json[])
  ON CONFLICT (collection, id) DO UPDATE SET body = excluded.body
`
const removeRecords = 'DELETE FROM records USING unnest($1::text[], $2::bigint[]) AS gone (c, i) WHERE collection = c AND id = i'
const putCounters = `
  INSERT INTO counters SELECT * FROM unnest($1::text[], $2::bigint[])
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
`

/** Opens the directory and fills the empty state with what it holds; throws DirectoryInUse when another sandbox has it. */
export async function openStore(directory: string, state: State): Promise<Store> {
  const { db, close } = await openDatabase({ directory })
  try {
    await db.exec(tables)
    const records = await db.query<{ collection: string; body: { id: number } }>(
      'SELECT collection, body FROM records ORDER BY collection, id',
    )
    const collections = new Map(allCollections(state))
    for (const { collection, body } of records.rows) {
      const found = collections.get(collection)
      if (found === undefined) throw new Error(`${directory} holds ${collection}, which this version of Bellhop does not know`)
      found.add(body)
    }
    const counters = await db.query<{ name: string; value: number }>('SELECT name, value FROM counters')
    for (const { name, value } of counters.rows) state.counters.set(name, Number(value))
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    write: ({ records, counters }) =>
      db.transaction(async (transaction) => {
        const present = records.filter(({ body }) => body !== null)
        const gone = records.filter(({ body }) => body === null)
        if (present.length > 0) await transaction.query(putRecords, [...columns(present), present.map(({ body }) => body)])
        if (gone.length > 0) await transaction.query(removeRecords, columns(gone))
        if (counters.length > 0) {
          await transaction.query(putCounters, [counters.map(({ name }) => name), counters.map(({ value }) => value)])
        }
      }),
  }
}

function columns(records: Changes['records']): [string[], number[]] {
  return [records.map(({ collection }) => collection), records.map(({ id }) => id)]
}
