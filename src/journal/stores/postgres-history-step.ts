// A step of postgres-migrations.ts: history gets tables of its own, and what `record`, `member` and `tally` held of it
// moves there.
import type { PostgresTables, SqlClient } from '../../queue/types.ts'
import { DAY_MS } from '../days.ts'
import { addDay } from './postgres-partitions.ts'

const TEXT = 'text COLLATE "C" NOT NULL'

/** The day of an ISO 8601 time in a record. */
const dayOfTime = (field: string) =>
  `floor(extract(epoch FROM (value::json->>'${field}')::timestamptz) / 86400)::integer`

/** Within the transaction of the migration. */
export async function addHistoryTables(client: SqlClient, { schema, partitioned }: PostgresTables): Promise<void> {
  const by = (column: string) => (partitioned ? `PARTITION BY RANGE (${column})` : '')
  const records = `(key ${TEXT}, day integer NOT NULL, value text NOT NULL, expires_ms bigint, PRIMARY KEY (key, day))`
  const members = `(name ${TEXT}, member ${TEXT}, PRIMARY KEY (name, member))`
  await client.query(`
    CREATE TABLE ${schema}.delivery ${records} ${by('day')};
    CREATE TABLE ${schema}.decision ${records} ${by('day')};
    CREATE TABLE ${schema}.body ${records} ${by('day')};
    CREATE TABLE ${schema}.delivery_member ${members} ${by('member')};
    CREATE TABLE ${schema}.decision_member ${members} ${by('member')};
    CREATE TABLE ${schema}.tally_by_day (
      name ${TEXT}, field ${TEXT}, day integer NOT NULL, number bigint NOT NULL, raises boolean NOT NULL,
      expires_ms bigint NOT NULL, PRIMARY KEY (name, field, day)
    ) ${by('day') || 'WITH (fillfactor = 50)'};`)
  if (!partitioned)
    await client.query(`
      CREATE INDEX ON ${schema}.body (expires_ms);
      CREATE INDEX ON ${schema}.tally_by_day (expires_ms);`)
  await moveHistory(client, { schema, partitioned })
}

async function moveHistory(client: SqlClient, { schema, partitioned }: PostgresTables): Promise<void> {
  const within = (column: string, kind: string) => `${column} >= '["${kind}' AND ${column} < '["${kind}~'`
  const records = [
    { kind: 'delivery"', table: 'delivery', day: dayOfTime('receivedAt') },
    { kind: 'decision"', table: 'decision', day: dayOfTime('at') },
    // A body does not say when it came: what it expires on is as good.
    { kind: 'body"', table: 'body', day: `(expires_ms / ${DAY_MS})::integer` },
  ]
  const members = [
    { kind: 'deliveries', table: 'delivery_member' },
    { kind: 'decisions', table: 'decision_member' },
    { kind: 'evaluations', table: 'decision_member' },
  ]
  const dayOfMember = `(left(member, 16)::bigint / ${DAY_MS})::integer`
  const dayOfTally = `(CASE WHEN ${within('name', 'flow')} THEN (name::json->>-1)::bigint / ${DAY_MS} ELSE (name::json->>-1)::bigint END)::integer`
  if (partitioned) {
    const days = [
      ...records.map(({ kind, day }) => `SELECT ${day} AS day FROM ${schema}.record WHERE ${within('key', kind)}`),
      ...members.map(({ kind }) => `SELECT ${dayOfMember} FROM ${schema}.member WHERE ${within('name', kind)}`),
      `SELECT ${dayOfTally} FROM ${schema}.tally`,
    ]
    const { rows } = await client.query<{ day: number }>(days.join(' UNION '))
    for (const { day } of rows) await addDay(client, schema, day)
  }
  for (const { kind, table, day } of records)
    await client.query(`
      WITH moved AS (DELETE FROM ${schema}.record WHERE ${within('key', kind)} RETURNING key, value, expires_ms)
      INSERT INTO ${schema}.${table} (key, day, value, expires_ms) SELECT key, ${day}, value, expires_ms FROM moved`)
  for (const { kind, table } of members)
    await client.query(`
      WITH moved AS (DELETE FROM ${schema}.member WHERE ${within('name', kind)} RETURNING name, member)
      INSERT INTO ${schema}.${table} (name, member) SELECT name, member FROM moved`)
  await client.query(`
    INSERT INTO ${schema}.tally_by_day (name, field, day, number, raises, expires_ms)
    SELECT name, field, ${dayOfTally}, number, raises, expires_ms FROM ${schema}.tally`)
}
