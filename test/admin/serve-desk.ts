// The admin API over real HTTP for a test, with what it does not care about left out.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll } from 'vitest'
import { adminApi } from '../../src/admin/admin-api.ts'
import { createDoor } from '../../src/admin/authenticate.ts'
import type { Desk } from '../../src/admin/desk.ts'
import { adminPages } from '../../src/admin/pages/admin-pages.ts'
import { type LiveOptions, usualLive } from '../../src/admin/pages/live.ts'
import { createSessions } from '../../src/admin/pages/session.ts'
import { type AdminToken, allAdminTokens } from '../../src/admin/tokens.ts'
import { clientAddress } from '../../src/cli/client-address.ts'
import { answerErrors } from '../../src/cli/http-errors.ts'
import { silent } from '../bot/stores.ts'

export const TOKEN = 'admin-token'

export interface ServedDesk {
  /** Of the bot: without /admin/api. */
  url: string
  server: Server
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>
}

const notHere = () => Promise.reject(new Error('this desk cannot do that'))

const lane = {
  ...{ counts: notHere, oldest: notHere, list: async () => [], get: async () => undefined, retry: notHere, promote: notHere },
  ...{ remove: notHere, pause: notHere, resume: notHere, isPaused: notHere },
}
const nothingThere = {
  conditions: () => ({ service: { is: 'fine' }, room: { is: 'free' } }),
  rulesOf: async () => undefined,
  hookHealth: undefined,
  lanes: { deliveries: lane, mergeRequests: lane, ruleChanges: lane, sweeps: lane, timers: lane, notices: lane },
  paused: { list: notHere, pause: notHere, resume: notHere },
}

interface ServeOptions {
  tokens?: readonly AdminToken[]
  now?: () => number
  publicUrl?: string
  live?: Partial<LiveOptions>
  /** Of other services that the same Bellhop works for, by their names. */
  others?: Readonly<Record<string, Partial<Desk>>>
}

/** Serves on a free port; who asks has the single token, unless the headers say otherwise. */
export async function serveDesk(
  given: Partial<Desk> & Pick<Desk, 'journal'>,
  { tokens = [], now = () => Date.now(), publicUrl = '', live = {}, others = {} }: ServeOptions = {},
): Promise<ServedDesk> {
  const first: Desk = {
    ...{ service: 's', now, sweep: notHere, dryRun: notHere, replay: { delivery: notHere, decision: notHere } },
    ...nothingThere,
    ...given,
  }
  const addressOf = clientAddress([])
  const all: Desk[] = [first, ...Object.entries(others).map(([service, other]) => ({ ...first, ...other, service }))]
  const allTokens = allAdminTokens(TOKEN, tokens)
  const admin = { door: createDoor(allTokens, now, addressOf), desks: new Map(all.map((each) => [each.service, each])), log: silent }
  const pages = adminPages({
    ...admin,
    now,
    sessions: createSessions(allTokens, now, first.journal),
    publicUrl,
    live: { ...usualLive, stopping: new AbortController().signal, ...live },
  })
  const server = createServer(express().use(adminApi(admin), pages, answerErrors(silent)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    server,
    async ask(path, init = {}) {
      const response = await fetch(`${url}/admin/api${path}`, { headers: { authorization: `Bearer ${TOKEN}` }, ...init })
      return { status: response.status, body: await response.json() }
    },
  }
}

/** One for all tests of a file. */
export function useDesk(given: () => Parameters<typeof serveDesk>[0]): Pick<ServedDesk, 'ask'> {
  let served: ServedDesk
  beforeAll(async () => {
    served = await serveDesk(given())
  })
  afterAll(() => {
    served.server.close()
  })
  return { ask: (path, init) => served.ask(path, init) }
}
