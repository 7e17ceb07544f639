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
  is_standby: boolean
  only_reads: boolean
  commits: string
  standbys: string
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
        pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS only_reads,
        current_setting('synchronous_commit') AS commits, current_setting('synchronous_standby_names') AS standbys,
        has_database_privilege(current_database(), 'CREATE') AS creates, to_regclass($1) IS NOT NULL AS has_tables`,
      [`${schema}.migration`],
    )
    return rows.flatMap((row) => [...server(row, shown), ...durability(row)])
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
}

function server({ version, major, is_standby, only_reads, creates, has_tables }: Answer, shown: string): Finding[] {
  if (is_standby)
    return [
      fail(
        'journal',
        `The server at ${shown} is a standby, which only reads.`,
        'Name the primary in BELLHOP_JOURNAL_URL, by an address that follows it after a failover.',
      ),
    ]
  if (only_reads)
    return [
      fail(
        'journal',
        `The server at ${shown} only reads.`,
        'Turn default_transaction_read_only off for the server, the database and the user.',
      ),
    ]
  if (!creates && !has_tables)
    return [
      fail(
        'journal',
        `The user of the journal may not make tables at ${shown}.`,
        'GRANT CREATE ON DATABASE … TO …, or make that user the owner of the database.',
      ),
    ]
  if (major < OLDEST_VERSION)
    return [warn('journal', `PostgreSQL ${version} answers.`, `Use PostgreSQL ${OLDEST_VERSION} or later.`)]
  return [ok('journal', `PostgreSQL ${version} answers${has_tables ? '' : '; bellhop serve makes the tables'}.`)]
}

/** A job is finished in Redis after its records are stored: what is lost afterwards is not done again. */
function durability({ commits, standbys }: Answer): Finding[] {
  const remedy = 'Turn synchronous_commit on for the server, the database and the user.'
  if (commits === 'off')
    return [warn('durability', 'synchronous_commit is off: a crash of PostgreSQL loses events.', remedy)]
  if (commits === 'local' && standbys !== '')
    return [warn('durability', 'synchronous_commit is local: a failover of PostgreSQL loses events.', remedy)]
  return []
}
