// Checks the journal's database: reachable, of a version that is tested, and allowed to make tables. Changes nothing.
import { readJournalUrl } from '../../journal/journal-url.ts'
import { asError } from '../../queue/errors.ts'
import { asSqlPool, endPool, openPool } from '../../queue/postgres/pool.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Partitions are attached without a lock on their table since then. */
const OLDEST_VERSION = 14

interface Answer {
  version: string
  major: number
  creates: boolean
  has_tables: boolean
}

/** Nothing where the journal is stored with the queue. */
export async function examineJournal(given: string): Promise<Finding[]> {
  if (given === '') return []
  const { url, schema, shown } = readJournalUrl(given)
  const pool = openPool({ url, max: 1, log: () => undefined })
  try {
    const { rows } = await asSqlPool(pool).query<Answer>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
        has_database_privilege(current_database(), 'CREATE') AS creates, to_regclass($1) IS NOT NULL AS has_tables`,
      [`${schema}.migration`],
    )
    return rows.map(finding)
  } catch (error) {
    return [
      fail(
        'journal',
        `The journal at ${shown} cannot be opened: ${asError(error).message}.`,
        'Check BELLHOP_JOURNAL_URL and the server.',
      ),
    ]
  } finally {
    await endPool(pool)
  }

  function finding({ version, major, creates, has_tables }: Answer): Finding {
    if (!creates && !has_tables)
      return fail(
        'journal',
        `The user of the journal may not make tables at ${shown}.`,
        'GRANT CREATE ON DATABASE … TO …, or make that user the owner of the database.',
      )
    if (major < OLDEST_VERSION)
      return warn('journal', `PostgreSQL ${version} answers.`, `Use PostgreSQL ${OLDEST_VERSION} or later.`)
    return ok('journal', `PostgreSQL ${version} answers${has_tables ? '' : '; bellhop serve makes the tables'}.`)
  }
}
