// The admin API over real HTTP for a test, with defaults for what it does not need.
import { createServer } from 'node:http'
import express from 'express'
import { type AdminToken, allAdminTokens, createAuthenticator } from '../../src/admin/access/authenticate.ts'
import { adminApi } from '../../src/admin/admin-api.ts'
import type { AdminContext, AdminQueue } from '../../src/admin/admin-context.ts'
import { adminPages } from '../../src/admin/pages/server/admin-pages.ts'
import { createSessions } from '../../src/admin/pages/session/session.ts'
import { answerErrors, clientAddress } from '../../src/cli/server/http-server.ts'
import { type QueueName, queueNames } from '../../src/queue/queue-names.ts'
import type { Decision } from '../../src/rules/types.ts'
import { silent } from '../bot/stores.ts'
import { listening } from '../listening.ts'

export const TOKEN = 'admin-token'

export type ServedAdmin = Awaited<ReturnType<typeof serveAdmin>>

const unavailable = () => Promise.reject(new Error('not available in this test'))

/** A queue without jobs, except for what is given; nothing of it can be changed. */
export const queueWith = (given: Partial<AdminQueue> = {}): AdminQueue => ({
  counts: async () => ({ waiting: 0, active: 0, delayed: 0, failed: 0, completed: 0 }),
  ...{ oldest: async () => ({}), list: async () => [], get: async () => undefined, isPaused: async () => false },
  ...{ retry: unavailable, promote: unavailable, remove: unavailable, pause: unavailable, resume: unavailable },
  ...given,
})

/** What is decided where nothing is to be done. */
export const nothing: Decision = { rules: [], calls: [], responses: [], head: null, files: [] }

/** The same queue under each name, or one of its own for each. */
export const queuesOf = <Q>(of: (name: QueueName) => Q): Record<QueueName, Q> =>
  Object.fromEntries(queueNames.map((name) => [name, of(name)])) as Record<QueueName, Q>

const defaults = {
  wakeMergeQueue: unavailable,
  countMergeQueue: () => {},
  sweep: unavailable,
  dryRun: unavailable,
  replay: { delivery: unavailable, decision: unavailable },
  status: () => ({ service: { is: 'fine' }, capacity: { is: 'available' } }),
  rulesInProject: async () => undefined,
  hookHealth: undefined,
  ruleTrials: { text: async () => undefined, explain: unavailable, backtest: unavailable },
  newRuleLimit: async () => undefined,
  allowNewRules: async () => {},
  freezes: { last: async () => undefined, change: unavailable },
  tokenExpiry: async () => undefined,
  queues: queuesOf(() => queueWith()),
  paused: { list: async () => [], pause: unavailable, resume: unavailable },
}

interface ServeOptions {
  tokens?: readonly AdminToken[]
  now?: () => number
  publicUrl?: string
}

/** Serves on a free port; requests have the single token, unless the headers say otherwise. */
export async function serveAdmin(
  given: Partial<AdminContext> & Pick<AdminContext, 'journal'>,
  { tokens = [], now = () => Date.now(), publicUrl = '' }: ServeOptions = {},
) {
  const context: AdminContext = { now, ...defaults, ...given }
  const allTokens = allAdminTokens(TOKEN, tokens)
  const admin = { authenticator: createAuthenticator(allTokens, now, clientAddress([])), context, log: silent }
  const pages = adminPages({
    ...admin,
    sessions: createSessions(allTokens, now, context.journal),
    publicUrl,
  })
  const server = createServer(express().use(adminApi(admin), pages, answerErrors(silent)))
  // A command that computes for seconds in this process would else find its connection closed.
  server.keepAliveTimeout = 65_000
  const url = await listening(server)
  return {
    /** Without /admin/api. */
    url,
    server,
    async ask(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
      const response = await fetch(`${url}/admin/api${path}`, {
        headers: { authorization: `Bearer ${TOKEN}` },
        ...init,
      })
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { status: response.status, body: await (isJson ? response.json() : response.text()) }
    },
  }
}

/** A request with a JSON body. */
export const jsonPost = (body: object, token = TOKEN): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** One for all tests of a file. */
export function useAdmin(
  given: () => Parameters<typeof serveAdmin>[0] | Promise<Parameters<typeof serveAdmin>[0]>,
  options?: ServeOptions,
): Pick<ServedAdmin, 'ask' | 'url'> {
  let served: ServedAdmin
  beforeAll(async () => {
    served = await serveAdmin(await given(), options)
    return () => void served.server.close()
  })
  return {
    ask: (path, init) => served.ask(path, init),
    get url() {
      return served.url
    },
  }
}
