// A queue and a journal in a temporary folder, the receiving server on them, and the signatures of a sender.
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { type Logger, pino } from 'pino'
import { inject } from 'vitest'
import type { BotQueues } from '../../src/bot/queues.ts'
import { createRuleCache } from '../../src/bot/rule-files/read-rule-file.ts'
import type { RuleFiles, RulesInForce } from '../../src/bot/rule-files/rules-in-force.ts'
import type { HookSecrets } from '../../src/bot/webhook/hook-secrets.ts'
import { type ReceiveOptions, receive } from '../../src/bot/webhook/receive.ts'
import { answerErrors } from '../../src/cli/server/http-server.ts'
import { type Database, databaseOf } from '../../src/journal/database/database.ts'
import { makeTables } from '../../src/journal/database/make-tables.ts'
import { createJournal, type Journal } from '../../src/journal/journal.ts'
import { openJournalOf } from '../../src/journal/open-journal.ts'
import type { RetentionPolicy } from '../../src/journal/retention.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { PostgresStore, Queues, RunningJob } from '../../src/queue/types.ts'
import { makeDatabase } from '../bot-journal.ts'
import { listening } from '../listening.ts'
import { prepareQueue } from '../prepared-database.ts'
import { rule, file as ruleFile, rules as rulesOf } from '../rules/world.ts'
import { startRedis } from '../servers/redis-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The queue of `useStores` and `onRedis`; without it embedded, and Redis. */
    queueOf?: 'redis' | 'postgres'
  }
}

export const silent: Logger = pino({ level: 'silent' })
export const TOKEN = 'hook-token'

export interface Stores {
  readonly queue: Queues
  /** Where the journal is. */
  readonly store: PostgresStore
  readonly journal: Journal
}

export interface RenewableStores extends Stores {
  /** From here on the queues and the journal are empty ones. */
  renew(): void
}

/**
 * A queue and journal of the kind that the project names (vitest.config.ts): the embedded one, whose start takes a
 * second, for all files of a worker; each file has queues and tables of its own. With `own` no other file writes there.
 */
export function useStores({
  own = false,
  retention,
}: {
  own?: boolean
  retention?: Partial<RetentionPolicy>
} = {}): RenewableStores {
  let open: OpenedStores | undefined
  let named: Pick<Stores, 'queue' | 'journal'> | undefined
  beforeAll(async () => {
    const [queueOf, server] = [inject('queueOf'), inject('postgres')]
    open = await (queueOf && server ? serverStores(queueOf, server) : embeddedStores(own))
    named = apart(open, retention)
  })
  afterAll(() => open?.end?.())
  const opened = () => {
    if (open === undefined || named === undefined) throw new Error('the stores are not open yet')
    return { store: open.store, ...named }
  }
  return {
    get queue() {
      return opened().queue
    },
    get store() {
      return opened().store
    },
    get journal() {
      return opened().journal
    },
    renew() {
      if (open !== undefined) named = apart(open, retention)
    },
  }
}

interface OpenedStores {
  queue: Queues
  store: PostgresStore
  /** Absent where the next file uses them too. */
  end?: () => Promise<void>
}

/** Queues and a journal whose names and tables no other has. */
function apart(
  { queue, store }: OpenedStores,
  retention: Partial<RetentionPolicy> | undefined,
): Pick<Stores, 'queue' | 'journal'> {
  const name = randomUUID().slice(0, 8)
  const queues: Queues = { ...queue, queue: (each) => queue.queue(`${each}-${name}`) }
  return { queue: queues, journal: createJournal(databaseApart(store, `t_${name}`), retention) }
}

/** A schema of its own, which is made at its first use. */
function databaseApart(store: PostgresStore, schema: string): Database {
  const database = databaseOf(store.pool, { ...store.tables, schema })
  let made: Promise<string> | undefined
  const tables = () => {
    made ??= makeTables(store.pool, { ...store.tables, schema })
    return made
  }
  return {
    ...database,
    query: async (text, values) => {
      await tables()
      return database.query(text, values)
    },
    transaction: async (does) => {
      await tables()
      return database.transaction(does)
    },
  }
}

let embedded: Promise<OpenedStores> | undefined

/** Their folder goes with the run's. */
async function embeddedStores(own: boolean): Promise<OpenedStores> {
  const opens = async () => {
    const url = await prepareQueue(mkdtempSync(join(inject('runFolder'), 'bot-')))
    return withJournal(await openQueues({ url }))
  }
  if (!own) {
    embedded ??= opens()
    return embedded
  }
  const opened = await opens()
  return { ...opened, end: () => opened.queue.close() }
}

const withJournal = async (queue: Queues): Promise<OpenedStores> => ({
  queue,
  store: (await openJournalOf({ queue: queue.store, url: '' })).store,
})

/** The journal is in a database of its own, with the queue or next to a Redis. */
async function serverStores(queueOf: 'redis' | 'postgres', server: string): Promise<OpenedStores> {
  const url = await makeDatabase(server)
  if (queueOf === 'postgres') {
    const { queue, store } = await withJournal(await openQueues({ url }))
    return { queue, store, end: () => queue.close() }
  }
  const redis = await startRedis()
  const queue = await openQueues({ url: redis.url })
  const { store, close } = await openJournalOf({ queue: queue.store, url })
  const end = async () => {
    await queue.close()
    await close()
    await redis.stop()
  }
  return { queue, store, end }
}

/** The queues of the bot in these stores, by default in renewed ones. A project has no share of them. */
export function testQueues(stores: RenewableStores, { renew = true } = {}): BotQueues {
  if (renew) stores.renew()
  const { queue } = stores
  return {
    deliveries: queue.queue('deliveries'),
    mergeQueues: queue.queue('merge-queues'),
    mergeRequests: queue.queue('merge-requests'),
    ruleChanges: queue.queue('rule-changes'),
    sweeps: queue.queue('sweeps'),
    notifications: queue.queue('notifications'),
    chats: queue.queue('chats'),
  }
}

/** A job as its handler gets it. */
export const runningJob = <T>(data: T, given: Partial<RunningJob<T>> = {}): RunningJob<T> => ({
  ...{ id: 'j', data, attempt: 1, isFirst: true, addedAt: 0 },
  ...{ claim: async () => false, replaceData: async () => undefined },
  ...given,
})

/** Rules that any merge request may concern, in a version, or those that are given, for every project. */
export function rulesOfVersion(version: string, given: Partial<RulesInForce> = {}): RuleFiles {
  // Every event may change it.
  const any = '{ any: [{ state: opened }, { pipeline: success }, { user_notes_count: 1 }, { upvotes: 1 }] }'
  const files = [ruleFile(rulesOf(rule(any, '{ subscribe: true }')))]
  const policy = { mode: 'act' as const, includeFrom: [], newRuleLimit: 0 }
  const rules = { version, files, problems: [], policy, fresh: false, projectPath: 'hotel/app', ...given }
  return {
    inForce: async () => rules,
    refresh: async () => rules,
    afterPush: async (_project, { branch }) => (branch === 'main' ? rules : undefined),
    asIf: async () => rules,
    known: async () => undefined,
    includes: async () => [],
    operatorVersion: '',
    cache: createRuleCache(),
  }
}

const available: ReceiveOptions['capacity'] = {
  condition: () => ({ is: 'available' }),
  accepted: () => undefined,
  refused: () => undefined,
}

export interface Receiver {
  url: string
  /** Sends one delivery with the right token. */
  post(body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<Response>
}

const closings: (() => void)[] = []

/** A real server on a free port, with receive and the answers to errors; it goes when the file ends. */
export async function serveHooks(options: {
  queues: Pick<BotQueues, 'deliveries'>
  secrets?: HookSecrets
  masterKeys?: readonly string[]
  capacity?: ReceiveOptions['capacity']
  now?: () => number
}): Promise<Receiver> {
  const {
    queues,
    secrets = { tokens: [TOKEN], signing: [] },
    masterKeys = [],
    capacity = available,
    now = () => Date.now(),
  } = options
  const app = express()
  const { deliveries } = queues
  app.use('/hooks', receive({ deliveries, secrets, masterKeys, capacity, now, log: silent }), answerErrors(silent))
  const server = createServer(app)
  closings.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `${await listening(server)}/hooks`
  return {
    url,
    post: (body, headers = {}) =>
      fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-gitlab-token': TOKEN, ...headers },
      }),
  }
}

/** Closes what `serveHooks` opened in this file. */
export function closeServersAtTheEnd(): void {
  afterAll(() => {
    for (const close of closings.splice(0)) close()
  })
}

/** The id of an accepted delivery. */
export async function idOf(response: Response): Promise<string> {
  const body: unknown = await response.json()
  if (response.status === 202 && typeof body === 'object' && body !== null && 'id' in body) return String(body.id)
  throw new Error(`the delivery was answered ${response.status}: ${JSON.stringify(body)}`)
}

/** The headers of a signed delivery. */
export function signedBy(
  key: string,
  { id, timestamp, body }: { id: string; timestamp: number | string; body: string },
) {
  const mac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64')).update(
    `${id}.${timestamp}.${body}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${mac.digest('base64')}` }
}

/** A signing key as GitLab makes them. */
export function signingKey(): string {
  return `whsec_${Buffer.from(`${randomUUID()}${randomUUID()}`).subarray(0, 32).toString('base64')}`
}
