// Checks what opening the journal would refuse: its place, the rights there, and whose journal it is. Changes nothing.
import { resolve } from 'node:path'
import { queryOf } from '../../journal/database/database.ts'
import { journalDirectory, readJournalUrl } from '../../journal/database/journal-url.ts'
import { readIdentity } from '../../journal/database/make-tables.ts'
import { JournalMisconfigured, JournalTooNew } from '../../journal/errors.ts'
import { checkJournal } from '../../journal/open-journal.ts'
import { asError } from '../../queue/errors.ts'
import { openQueues } from '../../queue/open-queue.ts'
import { asSqlPool, endPool, openPool } from '../../queue/postgres/pool.ts'
import type { Queues } from '../../queue/types.ts'
import type { Config } from '../settings/settings.ts'
import { type Finding, findingsOf } from './finding.ts'
import { examineFolder } from './machine.ts'

const [journal, durability] = [findingsOf('journal'), findingsOf('durability')]

/** Partitions are attached without a lock on their table since then. */
const OLDEST_VERSION = 14

interface Answer {
  version: string
  major: number
  is_standby: boolean
  only_reads: boolean
  commits: string
  standbys: string
  makes_schemas: boolean
  has_schema: boolean
  makes_tables: boolean
  has_tables: boolean
  owns_tables: boolean
}

/** `$1`: the schema. Asks nothing that needs a right. */
const QUESTION = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
    pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS only_reads,
    current_setting('synchronous_commit') AS commits, current_setting('synchronous_standby_names') AS standbys,
    has_database_privilege(current_database(), 'CREATE') AS makes_schemas,
    schema.oid IS NOT NULL AS has_schema,
    coalesce(has_schema_privilege(schema.oid, 'CREATE') AND has_schema_privilege(schema.oid, 'USAGE'), false) AS makes_tables,
    count(named.oid) > 0 AS has_tables, coalesce(bool_and(pg_has_role(named.relowner, 'USAGE')), true) AS owns_tables
  FROM (SELECT to_regnamespace($1)::oid AS oid) AS schema
  LEFT JOIN pg_class AS named ON named.relnamespace = schema.oid AND named.relkind IN ('r', 'p')
  GROUP BY schema.oid`

/** No findings if the journal is in the queue's database (`journalUrl` is empty) and `bellhop serve` can open it. */
export async function examineJournal({
  queueUrl,
  journalUrl,
}: Pick<Config, 'queueUrl' | 'journalUrl'>): Promise<Finding[]> {
  const directory = journalDirectory(journalUrl)
  // The bot may have it open.
  if (directory !== undefined) return [await examineFolder('journal', resolve(directory)), mayLoseSeconds]
  if (queueUrl.startsWith('embedded:')) return []
  if (journalUrl === '')
    return belonging(
      queueUrl,
      ({ store }) => store.kind === 'postgres' && readIdentity(queryOf(store.pool), store.tables.schema),
    )
  const { url, schema, shown } = readJournalUrl(journalUrl)
  const pool = openPool({ url, max: 1, log: () => undefined })
  const sql = asSqlPool(pool)
  try {
    const { rows } = await sql.query<Answer>(QUESTION, [schema])
    const findings = rows.flatMap((row) => [...server(row, shown), ...commitFindings(row)])
    if (findings.some(({ is }) => is === 'fail')) return findings
    const others = await belonging(queueUrl, async ({ store: queue }) => {
      if (queue.kind === 'redis')
        await checkJournal(queue.journalMark, { id: await readIdentity(queryOf(sql), schema), place: shown })
    })
    return [...findings, ...others]
  } catch (error) {
    return [
      journal.fail(
        `The journal at ${shown} cannot be opened: ${asError(error).message}.`,
        'Check BELLHOP_JOURNAL_URL and the server.',
      ),
    ]
  } finally {
    await endPool(pool)
  }
}

const mayLoseSeconds = durability.warn(
  'The journal is embedded: a power failure may lose its last seconds, whose jobs Redis has as done.',
  'Set BELLHOP_JOURNAL_URL=postgres://… where that matters.',
)

/** A finding if opening the journal would be refused. */
async function belonging(queueUrl: string, check: (queue: Queues) => unknown): Promise<Finding[]> {
  let queue: Queues
  try {
    queue = await openQueues({ url: queueUrl })
  } catch (error) {
    const unknown = `Whether the journal is that of the queue is unknown: ${asError(error).message}`
    return [journal.warn(unknown, 'Mend the queue, and run bellhop doctor again.')]
  }
  try {
    await check(queue)
    return []
  } catch (error) {
    if (!(error instanceof JournalMisconfigured || error instanceof JournalTooNew)) throw error
    return [journal.fail(error.message, 'See docs/journal.md: bellhop serve does not start before.')]
  } finally {
    await queue.close()
  }
}

function server(answer: Answer, shown: string): Finding[] {
  const { version, major, has_tables } = answer
  const refusal = refusalOf(answer)
  if (refusal !== undefined) return [journal.fail(`${refusal[0]} (${shown}).`, refusal[1])]
  if (major < OLDEST_VERSION)
    return [journal.warn(`PostgreSQL ${version} answers.`, `Use PostgreSQL ${OLDEST_VERSION} or later.`)]
  return [journal.ok(`PostgreSQL ${version} answers${has_tables ? '' : '; bellhop serve makes the tables'}.`)]
}

/** Why the server would refuse what `bellhop serve` writes, and what to do. */
function refusalOf(answer: Answer): [problem: string, remedy: string] | undefined {
  if (answer.is_standby)
    return [
      'The server of the journal is a standby, which only reads',
      'Name the primary in BELLHOP_JOURNAL_URL, by an address that follows it after a failover.',
    ]
  if (answer.only_reads)
    return [
      'The server of the journal only reads',
      'Turn default_transaction_read_only off for the server, the database and the user.',
    ]
  if (!answer.has_schema && !answer.makes_schemas)
    return [
      'The user of the journal may not make a schema',
      'GRANT CREATE ON DATABASE … TO …, or make that user the owner of the database.',
    ]
  if (answer.has_schema && !answer.makes_tables)
    return ['The user of the journal may not make tables', 'GRANT USAGE, CREATE ON SCHEMA … TO ….']
  if (!answer.owns_tables)
    return [
      'The user of the journal does not own its tables, and cannot change them',
      'ALTER TABLE … OWNER TO …, for every table of the schema.',
    ]
  return undefined
}

/** A job is finished in Redis after its records are stored: what is lost afterwards is not done again. */
function commitFindings({ commits, standbys }: Answer): Finding[] {
  const remedy = 'Turn synchronous_commit on for the server, the database and the user.'
  if (commits === 'off')
    return [durability.warn('synchronous_commit is off: a crash of PostgreSQL loses events.', remedy)]
  if (commits === 'local' && standbys !== '')
    return [durability.warn('synchronous_commit is local: a failover of PostgreSQL loses events.', remedy)]
  return []
}
