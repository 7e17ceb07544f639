// How long the lists of the admin API take over a hundred thousand deliveries and decisions, beside an empty journal.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../../src/journal/open-journal.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import { type ServedAdmin, serveAdmin } from '../../test/admin/serve-admin.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { fill } from './fill.ts'

const inAll = 100_000
const inPart = 10_000
/** Paths of the admin API. */
export const lists = [
  ['the newest deliveries', '/deliveries'],
  ['of a project', '/deliveries?project=7'],
  ['in a rare state', '/deliveries?state=refused'],
  ['of a rare kind', '/deliveries?kind=merge_request.approval'],
  ['of a kind that a project never sent', '/deliveries?project=7&kind=note.create'],
  ['by a rule that hardly ever holds', '/deliveries?rule=rare%20rule'],
  ['by a rule that always holds, of a project', '/deliveries?rule=rule%201&project=7'],
  ['the newest decisions', '/decisions'],
  ['of a merge request', '/decisions?project=7&iid=7'],
  ['by a rule that hardly ever holds', '/decisions?rule=rare%20rule'],
  ['that failed', '/decisions?outcome=failed'],
  ['that failed, of a project', '/decisions?outcome=failed&project=7'],
  ['blocked by a rule that always holds: none', '/decisions?rule=rule%201&outcome=blocked'],
] as const

export const bench: Bench = {
  about: `lists of the admin API over ${inAll} deliveries and decisions on the embedded queue, beside an empty one`,
  async measure({ rounds, say, part }) {
    const stored = part ? inPart : inAll
    const full = await open(stored, say)
    const empty = await open(0, say)
    try {
      const rows: Row[] = []
      for (const [name, path] of lists) {
        const measured: [number, number][] = []
        for (let round = 0; round <= rounds; round += 1) {
          const pair: [number, number] = [await answered(full.admin, path), await answered(empty.admin, path)]
          if (round > 0) measured.push(pair)
        }
        const what = path.startsWith('/deliveries') ? 'deliveries' : 'decisions'
        rows.push(
          rowOf(
            { name: `admin lists, ${what}: ${name} (≤ 200 ms)`, what: `${stored} stored`, beside: 'empty', unit: 'ms' },
            measured,
          ),
        )
      }
      return rows
    } finally {
      await full.close()
      await empty.close()
    }
  },
}

async function open(
  count: number,
  say: (sentence: string) => void,
): Promise<{ admin: ServedAdmin; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-dashboard-'))
  const queue = await openQueues({ url: `embedded:${folder}` })
  const journal = await openJournal(queue.store)
  await fill(queue.store, { count, projects: 200, started: Date.UTC(2026, 9, 25), everyMs: 10_000 }, say)
  const admin = await serveAdmin({ journal })
  const close = async () => {
    admin.server.close()
    admin.server.closeAllConnections()
    await queue.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { admin, close }
}

/** Milliseconds until the whole answer is there. */
export async function answered(admin: ServedAdmin, path: string): Promise<number> {
  const started = performance.now()
  const { status } = await admin.ask(path)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return performance.now() - started
}
