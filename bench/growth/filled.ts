// A bot on its own servers with so many waiting jobs and projects in its journal, put there by the product's own code.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MergeRequestJob, mergeRequestKey } from '../../src/bot/queues.ts'
import type { MergeRequestRef } from '../../src/rules/types.ts'
import { botEnvironment, startBot } from '../bot.ts'
import { portOf } from '../port-of.ts'
import { startServers } from '../servers.ts'

// What was built, and no loader touches: a hundred thousand times it counts.
const built = (name: string) => import(new URL(`../../dist/${name}`, import.meta.url).href)
const { openQueues }: typeof import('../../src/queue/open-queue.ts') = await built('queue/open-queue.js')
const { openJournalOf }: typeof import('../../src/journal/open-journal.ts') = await built('journal/open-journal.js')

const atOnce = 100
const day = 24 * 60 * 60_000
/** The first projects are those that the measured deliveries are about. */
const firstProject = 1_000

export interface Filled {
  jobs: number
  url: string
  pid: number
  /** Where the hosting service that it calls is. */
  service: string
  close(): Promise<void>
}

/** `jobs` merge requests wait for a later time, `projects` projects have sent a delivery each. */
export async function openFilled({ jobs, projects }: { jobs: number; projects: number }): Promise<Filled> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-growth-'))
  await writeFile(
    join(folder, 'rules.yml'),
    'version: 1\nrules: [{ name: r, if: { labels: urgent }, then: { subscribe: true } }]\n',
  )
  const { queue, journal, stop } = await startServers()
  await fill({ queue, journal }, jobs, projects)
  const script = join(import.meta.dirname, '../evaluation/service.mjs')
  const hosting = spawn(process.execPath, [script, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = `http://127.0.0.1:${await portOf(hosting)}`
  const environment = {
    ...botEnvironment({ queue, journal, rules: folder, service: address }),
    BELLHOP_MAX_BACKLOG: '99999999',
  }
  const bot = await startBot(environment)
  return {
    jobs,
    url: bot.url,
    pid: bot.pid,
    service: address,
    async close() {
      await bot.stop()
      hosting.kill('SIGKILL')
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function fill(of: { queue: string; journal: string }, jobs: number, projects: number): Promise<void> {
  const queue = await openQueues({ url: of.queue })
  const { journal, close } = await openJournalOf({ queue: queue.store, url: of.journal })
  const lane = queue.queue<MergeRequestJob>('merge-requests')
  await many(jobs, async (n) => {
    const data = { project: firstProject + (n % projects), iid: 1 + n }
    await lane.add({ data, deduplicationKey: mergeRequestKey(data), delayMs: day })
  })
  await many(projects, async (n) => {
    const of = { project: firstProject + n, iid: 1 }
    const { event, ...delivery } = deliveryOf(n, of)
    // With an event, it makes its project known.
    await journal.deliveries.save(
      { ...delivery, event },
      { pending: { of: [of], event: { deliveryId: delivery.id, event } } },
    )
    await journal.mergeRequests.save(of, { processed: await journal.events.pending(of) })
  })
  await close()
  await queue.close()
}

async function many(count: number, one: (n: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, n) => one(from + n)))
}

function deliveryOf(n: number, of: MergeRequestRef) {
  const at = new Date(Date.now() - 60_000 - n).toISOString()
  return {
    ...{ id: `bench-${n}`, receivedAt: at, header: 'Merge Request Hook', bytes: 4_000, state: 'read' as const },
    event: { kind: 'merge_request.update', ...of, actor: { id: 7, username: 'alice' }, at },
    mergeRequests: [of],
  }
}
