// The records on disk: one table of an embedded PostgreSQL.
import { allCollections, type State } from './world.ts'

/** A record to write: its JSON, or null for one that was removed. */
export interface RecordChange {
  collection: string
  id: number | string
  body: string | null
}
export type RecordStore = Awaited<ReturnType<typeof openRecordStore>>

// `json` stores the text as it is; `jsonb` refuses NUL, which a title may contain.
const table =
  'CREATE TABLE IF NOT EXISTS records (collection text, id text, body json NOT NULL, PRIMARY KEY (collection, id))'
const put = `INSERT INTO records SELECT * FROM unnest($1::text[], $2::text[], $3::json[])
  ON CONFLICT (collection, id) DO UPDATE SET body = excluded.body`
const remove =
  'DELETE FROM records USING unnest($1::text[], $2::text[]) AS removed (c, i) WHERE collection = c AND id = i'

/** Opens the directory and fills the empty state from it. Throws DirectoryInUse when another sandbox has it. */
export async function openRecordStore(directory: string, state: State, onSlowStart: () => void = () => undefined) {
  // Loaded here: a sandbox that stores no records starts without the database.
  const { openDatabase } = await import('../../embedded-postgres/open-database.ts')
  const { db, close } = await openDatabase({ directory, onSlowStart })
  try {
    await db.exec(table)
    const { rows } = await db.query<{ collection: string; body: { id: number } }>(
      'SELECT collection, body FROM records',
    )
    const collections = new Map(allCollections(state))
    for (const { collection, body } of rows) {
      const found = collections.get(collection)
      if (!found) throw new Error(`${directory} holds ${collection}, which this version of Bellhop does not know`)
      found.add(body)
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    /** Writes all of it or nothing. */
    write: (changes: readonly RecordChange[]): Promise<void> =>
      db.transaction(async (transaction) => {
        const columns = (some: readonly RecordChange[]) => [
          some.map((each) => each.collection),
          some.map(({ id }) => String(id)),
        ]
        await transaction.query(remove, columns(changes))
        const present = changes.filter(({ body }) => body !== null)
        await transaction.query(put, [...columns(present), present.map(({ body }) => body)])
      }),
  }
}
