// A journal in PostgreSQL with a million decisions of ten thousand projects: lists, writes, and a day that is deleted.

import { createJournal } from '../../src/journal/journal.ts'
import { openJournalDatabase } from '../../src/journal/journal-database.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { postgresStore } from '../../src/journal/stores/postgres-store.ts'
import type { Journal } from '../../src/journal/types.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import { serveAdmin } from '../../test/admin/serve-admin.ts'
import { hasPostgresServer, startPostgres } from '../../test/servers/postgres-server.ts'
import { startRedis } from '../../test/servers/redis-server.ts'
import { decisionOf, deliveryOf, type Filling, fill } from '../dashboard/fill.ts'
import { answered, lists } from '../dashboard/run.ts'
import { requireRedis } from '../needs.ts'
import { type Bench, CannotRun, type Row, rowOf } from '../row.ts'

const inAll = 1_000_000
const inPart = 20_000
const projects = 10_000
const days = 30
const dayMs = 24 * 60 * 60_000
const writes = 200

export const bench: Bench = {
  about: `lists, writes and retention of a journal in PostgreSQL with ${inAll} decisions of ${projects} projects, beside an empty one`,
  async measure({ rounds, say, part }) {
    requireRedis()
    if (!hasPostgresServer()) throw new CannotRun('no PostgreSQL server is installed')
    const count = part ? inPart : inAll
    const [redis, postgres] = [await startRedis(), await startPostgres()]
    const queue = await openQueues({ url: redis.url })
    const open = async (name: string) => openJournalDatabase({ url: postgres.database(name), queue: queue.store })
    const [full, empty] = [await open('filled'), await open('empty')]
    const filling: Filling = { count, projects, started: Date.now() - days * dayMs, everyMs: (days * dayMs) / count }
    try {
      await fill(full.store, filling, say)
      const [journal, none] = [await openJournal(full.store), await openJournal(empty.store)]
      const [admin, other] = [await serveAdmin({ journal }), await serveAdmin({ journal: none })]
      const what = `${count} stored`
      const rows: Row[] = []
      for (const [name, path] of lists) {
        const measured: [number, number][] = []
        for (let round = 0; round <= rounds; round += 1) {
          const pair: [number, number] = [await answered(admin, path), await answered(other, path)]
          if (round > 0) measured.push(pair)
        }
        const of = path.startsWith('/deliveries') ? 'deliveries' : 'decisions'
        rows.push(rowOf({ name: `${of}: ${name} (≤ 200 ms)`, what, beside: 'empty', unit: 'ms' }, measured))
      }
      const saved: [number, number][] = []
      for (let round = 0; round <= rounds; round += 1) {
        const pair: [number, number] = [await written(journal, filling, round), await written(none, filling, round)]
        if (round > 0) saved.push(pair)
      }
      rows.push(
        rowOf(
          { name: 'a delivery and its decision, written one after the other', what, beside: 'empty', unit: 'ms' },
          saved,
        ),
      )
      const pruned: [number, number][] = []
      for (let ago = days - 1; ago > days - 1 - rounds; ago -= 1) {
        const history = ago * dayMs
        const prune = async (store: typeof full.store) => {
          const began = performance.now()
          await createJournal(postgresStore(store.pool, store.tables), { history }).prune(new Date())
          return performance.now() - began
        }
        pruned.push([await prune(full.store), await prune(empty.store)])
      }
      rows.push(rowOf({ name: 'a day that is deleted', what, beside: 'empty', unit: 'ms' }, pruned))
      for (const each of [admin, other]) {
        each.server.close()
        each.server.closeAllConnections()
      }
      return rows
    } finally {
      await Promise.all([full.close(), empty.close()])
      await queue.close()
      await Promise.all([redis.stop(), postgres.stop()])
    }
  },
}

/** Milliseconds for one, of many. */
async function written(journal: Journal, filling: Filling, round: number): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < writes; n += 1) {
    // After all that is stored, in the present day.
    const delivery = deliveryOf(filling.count + round * writes + n, filling)
    await journal.saveDelivery(delivery)
    await journal.saveDecision(decisionOf(filling.count + round * writes + n, delivery))
  }
  return (performance.now() - began) / writes
}
