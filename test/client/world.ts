// A client whose time and chance the test holds, and a hosting service that nock plays.
import { syncBuiltinESMExports } from 'node:module'
import nock from 'nock'
import { type ClientOptions, createClient } from '../../src/client/create-client.ts'
import { InvalidCallError, ServiceError, type ServiceErrorFacts } from '../../src/client/errors.ts'
import type { RateLimits } from '../../src/client/response.ts'
import type { RequestLog } from '../../src/client/transport.ts'

export const HOST = 'https://code.example'
export const TOKEN = 'glpat-Very/Secret+Token=1'
export const NOW = Date.parse('2026-11-21T12:00:00Z')
/** Half of the greatest backoff is waited for. */
const HALF = 0.5

/** No test of the file reaches the network; none leaves an answer behind. */
export function playService(): void {
  beforeAll(() => {
    // Another file of this process may have put it away.
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
  })
  afterEach(() => {
    nock.cleanAll()
    nock.abortPendingRequests()
  })
  afterAll(() => {
    nock.enableNetConnect()
    nock.restore()
    // Without this `import { request } from 'node:http'` of a later file of this process still gives nock's.
    syncBuiltinESMExports()
  })
}

/** Answers what is asked with these headers; the one parameter that every read of a merge request has is left out. */
export function service(reqheaders: Record<string, string> = {}): nock.Scope {
  return nock(`${HOST}/api/v4`, { reqheaders }).filteringPath(/\?include_rebase_in_progress=true$/, '')
}

/** The service answers every read of the commits that a merge would land. */
export const landsCommits = (...messages: string[]): nock.Scope =>
  service()
    .persist()
    .get(/\/repository\/commits\?/)
    .reply(
      200,
      messages.map((message) => ({ message })),
    )

export function makeClient(options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const lines: RequestLog[] = []
  const limits: RateLimits[] = []
  let now = NOW
  const client = createClient({
    baseUrl: HOST,
    token: TOKEN,
    clock: {
      now: () => now,
      sleep: async (ms) => {
        waits.push(ms)
        now += ms
      },
    },
    random: () => HALF,
    log: (line) => lines.push(line),
    onLimits: (seen) => limits.push(seen),
    ...options,
  })
  return { client, waits, lines, limits }
}

/** A refusal of a read, unless `facts` say otherwise. */
export const serviceErrorOf = (facts: Partial<ServiceErrorFacts>) =>
  new ServiceError({
    ...{ kind: 'refused', target: { name: 'x', method: 'GET' }, path: '/x', mayHaveBeenApplied: false },
    ...facts,
  })

async function errorOf<E extends Error>(call: Promise<unknown>, type: abstract new (...args: never[]) => E) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof type) return error
  throw new Error(`the call did not fail with ${type.name}`, { cause: error })
}

/** The error of a call that must fail in the service's hands. */
export const serviceError = (call: Promise<unknown>): Promise<ServiceError> => errorOf(call, ServiceError)

/** The error of a call that must not be sent. */
export const invalidCall = (call: Promise<unknown>): Promise<InvalidCallError> => errorOf(call, InvalidCallError)
