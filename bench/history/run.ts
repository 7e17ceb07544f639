// A journal in PostgreSQL with a million decisions of ten thousand projects: lists, writes, and a day that is deleted.

import { Pool } from 'pg'
import { databaseOf } from '../../src/journal/database/database.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { openJournalOf } from '../../src/journal/open-journal.ts'
import type { NewDelivery } from '../../src/journal/tables/deliveries.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import { asSqlPool } from '../../src/queue/postgres/pool.ts'
import type { PostgresStore } from '../../src/queue/types.ts'
import { serveAdmin } from '../../test/admin/serve-admin.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../test/servers/postgres-server.ts'
import { startRedis } from '../../test/servers/redis-server.ts'
import { admin as askAdmin } from '../admin.ts'
import { botEnvironment, startBot } from '../bot.ts'
import { decisionOf, deliveryOf, type Filling, fill } from '../dashboard/fill.ts'
import { answered, lists } from '../dashboard/run.ts'
import { requireRedis } from '../needs.ts'
import { peakMb } from '../process-figures.ts'
import { type Bench, CannotRun, type Row, rowOf } from '../row.ts'

const inAll = 1_000_000
const inPart = 20_000
const projects = 10_000
const days = 30
const dayMs = 24 * 60 * 60_000
const writes = 200

export const bench: Bench = {
  about: `lists, writes, retention and memory of a journal in PostgreSQL with ${inAll} decisions of ${projects} projects, beside an empty one`,
  async measure({ rounds, say, part }) {
    requireRedis()
    if (!hasPostgresServer()) throw new CannotRun('no PostgreSQL server is installed')
    const count = part ? inPart : inAll
    const postgres = await startPostgres()
    const [full, empty] = [
      await installation(postgres.database('filled')),
      await installation(postgres.database('empty')),
    ]
    const filling: Filling = { count, projects, started: Date.now() - days * dayMs, everyMs: (days * dayMs) / count }
    try {
      // Filling takes longer than any statement of Bellhop may.
      const patient = new Pool({ connectionString: full.url })
      await fill({ ...full.database.store, pool: asSqlPool(patient) }, filling, say)
      await patient.end()
      const sides = { full: await sideOf(full), empty: await sideOf(empty) }
      const rows: Row[] = []
      for (const { name, unit, of } of measures({ postgres, filling })) {
        const pairs: [number, number][] = []
        for (let round = 0; round <= rounds; round += 1)
          pairs.push([await of(sides.full, round), await of(sides.empty, round)])
        // The first round is not counted.
        rows.push(rowOf({ name, what: `${count} stored`, beside: 'empty', unit }, pairs.slice(1)))
      }
      for (const { admin } of Object.values(sides)) {
        admin.server.close()
        admin.server.closeAllConnections()
      }
      return rows
    } finally {
      for (const { database, queue, redis } of [full, empty]) {
        await database.close()
        await queue.close()
        await redis.stop()
      }
      await postgres.stop()
    }
  },
}

type Side = Awaited<ReturnType<typeof sideOf>>

/** With a Redis of its own: a queue belongs to one journal. */
async function installation(url: string) {
  const redis = await startRedis()
  const queue = await openQueues({ url: redis.url })
  return { url, redis, queue, database: await openJournalOf({ queue: queue.store, url }) }
}

async function sideOf({ url, redis, database: { store, journal } }: Awaited<ReturnType<typeof installation>>) {
  return { url, queue: redis.url, store, journal, admin: await serveAdmin({ journal }) }
}

interface Measure extends Pick<Row, 'name' | 'unit'> {
  of(side: Side, round: number): Promise<number>
}

/** In this order: the last ones change what is stored. */
function measures(given: { postgres: TestPostgres; filling: Filling }): Measure[] {
  const { postgres, filling } = given
  return [
    ...lists.map(
      ([name, path]): Measure => ({
        name: `${path.split('?')[0]?.slice(1)}: ${name} (≤ 200 ms)`,
        unit: 'ms',
        of: ({ admin }) => answered(admin, path),
      }),
    ),
    { name: 'disk', unit: 'MB', of: async ({ url }) => diskMb(postgres, new URL(url).pathname.slice(1)) },
    {
      name: 'memory of bellhop serve that answered these lists',
      unit: 'MB',
      of: ({ queue, url }) => memoryOfBot({ queue, journal: url }),
    },
    {
      name: 'a delivery and its decision, written one after the other',
      unit: 'ms',
      of: ({ journal }, round) => written(journal, filling, round),
    },
    { name: 'a day that is deleted', unit: 'ms', of: ({ store }, round) => pruned(store, days - 1 - round) },
  ]
}

function diskMb(postgres: TestPostgres, database: string): number {
  return Number(postgres.run('SELECT pg_database_size(current_database())', database)) / 2 ** 20
}

/** Milliseconds for deleting what is older than so many days. */
async function pruned({ pool, tables }: PostgresStore, keptDays: number): Promise<number> {
  const began = performance.now()
  await createJournal(databaseOf(pool, tables), { history: keptDays * dayMs }).prune(new Date())
  return performance.now() - began
}

/** The most that a bot takes that answers each list of the dashboard. */
async function memoryOfBot({ queue, journal }: { queue: string; journal: string }): Promise<number> {
  const bot = await startBot(botEnvironment({ queue, journal, rules: '/nonexistent' }))
  try {
    for (const [, path] of lists) await askAdmin(bot.url, path)
    return peakMb(bot.pid)
  } finally {
    await bot.stop()
  }
}

/** Milliseconds for one, of many. */
async function written(journal: Journal, filling: Filling, round: number): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < writes; n += 1) {
    // After all that is stored, in the present day.
    const delivery = deliveryOf(filling.count + round * writes + n, filling)
    await saveRead(journal, delivery)
    await journal.decisions.save(decisionOf(filling.count + round * writes + n, delivery))
  }
  return (performance.now() - began) / writes
}

/** With its event, as intake does. */
async function saveRead(journal: Journal, delivery: NewDelivery): Promise<void> {
  const { id: deliveryId, event, mergeRequests } = delivery
  const pending = event && { of: mergeRequests, event: { deliveryId, event } }
  await journal.deliveries.save(delivery, { pending })
}
