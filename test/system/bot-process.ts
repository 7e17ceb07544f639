// The whole bot as a process, for tests that kill it. Its argument: its options. It ends when nothing is left to do.
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { createBot } from '../../src/bot/bot.ts'
import { mergeRequestKey } from '../../src/bot/queues.ts'
import { readOperatorFiles } from '../../src/bot/rule-files/operator-files.ts'
import { defaultRetryDelays } from '../../src/bot/service/retry-policy.ts'
import { createServiceState } from '../../src/bot/service/service-state.ts'
import { createClient } from '../../src/client/create-client.ts'
import { openJournalOf } from '../../src/journal/open-journal.ts'
import type { PendingEvent } from '../../src/journal/types.ts'
import { QueueUnavailable } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { SqlClient, SqlPool } from '../../src/queue/types.ts'
import type { MergeRequestRef } from '../../src/rules/types.ts'

/** Given as JSON. */
export interface BotProcessOptions {
  queueUrl: string
  /** Empty where the queue's own database has the journal. */
  journalUrl: string
  serviceUrl: string
  token: string
  /** The process kills itself at this write to PostgreSQL, from 1: `before` it is sent, or `after` its answer. */
  diesAt?: { write: number; when: 'before' | 'after' }
  /** The operator's rule folder. */
  rules: string
  /** What is in the mailboxes at the start; each merge request is enqueued. */
  mail: { mergeRequest: MergeRequestRef; entry: Omit<PendingEvent, 'seq'> }[]
}

const given = process.argv[2]
if (given !== undefined) await run(JSON.parse(given) as BotProcessOptions)

async function run(options: BotProcessOptions): Promise<void> {
  const { queueUrl, journalUrl, serviceUrl, token, rules, mail, diesAt } = options
  // A dead process's jobs are taken up soon.
  const queue = await openQueues({ url: queueUrl, lockMs: 2_000 })
  const { journal, store, close } = await openJournalOf({ queue: queue.store, url: journalUrl })
  if (diesAt !== undefined) dieAt(store.pool, diesAt)
  const bot = createBot({
    // Whoever holds an answer decides how long.
    client: createClient({ baseUrl: serviceUrl, token, timeoutMs: 120_000 }),
    token: () => token,
    backend: queue,
    journal,
    state: createServiceState({ now: Date.now }),
    secrets: { tokens: ['unused'], signing: [] },
    masterKeys: [],
    capacityLimits: { backlogBytes: 1e9, backlog: 1_000, memoryPercent: 100, freeDisk: 0 },
    operator: {
      operatorFiles: await readOperatorFiles(rules),
      policy: { entries: [], defaults: { mode: 'act', newRuleLimit: 0 } },
      offLabel: 'bellhop::off',
      bodyRetentionMs: 60_000,
      sweep: { everyMs: 0, calls: 0 },
      retryDelays: defaultRetryDelays,
      hasAdmins: true,
    },
    concurrency: 50,
    git: { workDir: '/nonexistent', serviceUrl, searchPath: undefined, mostBytes: 1, authorities: '' },
    now: Date.now,
    log: pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true })),
  })
  const { mergeRequests } = bot.queues
  for (const { mergeRequest, entry } of mail) {
    await journal.events.add(mergeRequest, entry)
    await mergeRequests.add({ data: mergeRequest, deduplicationKey: mergeRequestKey(mergeRequest) })
  }
  bot.start()
  for (;;) {
    const counts = await mergeRequests.counts().catch(unlessAway)
    if (counts !== undefined && counts.waiting + counts.active + counts.delayed === 0) {
      writeSync(1, `${JSON.stringify({ failed: counts.failed })}\n`)
      break
    }
    await pause(50)
  }
  await bot.stop(5_000)
  await queue.close()
  await close()
}

/** Counts the writes of the journal: statements of their own, and the ends of transactions that inserted something. */
function dieAt(pool: SqlPool, { write, when }: NonNullable<BotProcessOptions['diesAt']>): void {
  let writes = 0
  const die = () => process.kill(process.pid, 'SIGKILL')
  const counted =
    (query: SqlPool['query'], isWrite: (text: string) => boolean): SqlPool['query'] =>
    async (given, values) => {
      // A prepared statement comes with its name.
      const counts = isWrite(typeof given === 'string' ? given : (given as { text: string }).text)
      if (counts) writes += 1
      const isLast = counts && writes === write
      if (isLast && when === 'before') die()
      const answer = await query<never>(given, values)
      if (isLast) die()
      return answer
    }
  const connect: (...given: unknown[]) => Promise<SqlClient> = pool.connect.bind(pool)
  pool.query = counted(pool.query.bind(pool), (text) =>
    /^\s*(?:WITH \w+ AS \()?(?:INSERT|UPDATE \S+\.marks)\b/.test(text),
  )
  pool.connect = async (...given: unknown[]) => {
    const client = await connect(...given)
    // The pool itself connects with a callback.
    if (given.length > 0) return client
    let inserts = false
    const query = counted(client.query.bind(client), (text) => {
      inserts ||= /^\s*INSERT\b/.test(text)
      return inserts && text === 'COMMIT'
    })
    return { query, release: (closes) => client.release(closes) }
  }
}

/** A queue that is slow to answer is asked again. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof QueueUnavailable)) throw error
}
