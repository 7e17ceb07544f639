// The client: one function per endpoint of the contract, made by a loop over it.
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Body,
  type Endpoint,
  type EndpointSpec,
  mapEndpoints,
  type Params,
  type Tolerant,
} from '../api/endpoint.ts'
import { type Api, api, endpointsByName } from '../api/index.ts'
import { InvalidCallError } from './errors.ts'
import { type Pages, type PagesOptions, readPages } from './pages.ts'
import type { ApiResponse } from './response.ts'
import { callEndpoint, type SendOptions } from './send.ts'
import { type Clock, createResponseCache, type Transport } from './transport.ts'

export type CallOptions = SendOptions

/** Calls one endpoint. Throws InvalidCallError before anything is sent, or ServiceError. */
interface EndpointFunction<P, B> {
  (params: P, options?: CallOptions): Promise<ApiResponse<B>>
  /** The endpoint's name in the contract. */
  readonly endpoint: string
}
type CallOf<E extends EndpointSpec> = EndpointFunction<Params<E>, Tolerant<Body<E>>>
type CallsOf<T> = { readonly [K in keyof T]: T[K] extends EndpointSpec ? CallOf<T[K]> : CallsOf<T[K]> }

export type Client = CallsOf<Api> & {
  /** A call as data. Throws InvalidCallError for a name that the contract does not have. */
  send(endpointName: string, params: Record<string, unknown>, options?: CallOptions): Promise<ApiResponse<unknown>>
  /** A list in pages, each page with whether the list is `complete`; `.collect()` joins them. */
  pages<P, I>(call: EndpointFunction<P, I[]>, params: NoInfer<P>, options: PagesOptions): Pages<I>
  pages(endpointName: string, params: Record<string, unknown>, options: PagesOptions): Pages<unknown>
}

export interface ClientOptions extends Partial<Omit<Transport, 'base' | 'token' | 'cache'>> {
  /** With or without `/api/v4`; may have a path prefix. */
  baseUrl: string
  /** A function is called before every request, so that a new token needs no restart. Empty: anonymous. */
  token: string | (() => string)
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => delay(ms),
}

/**
 * A client of one service with one token. Calls may run in parallel; the only state is the ETag cache. Throws
 * TypeError for an unusable `baseUrl`.
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const calls = mapEndpoints(api, (endpoint) => {
    const call = async (params: Record<string, unknown>, callOptions?: CallOptions) =>
      callEndpoint(transport, endpoint, params, callOptions)
    // The name makes stack traces say which endpoint was called.
    Object.defineProperty(call, 'name', { value: endpoint.name })
    return Object.assign(call, { endpoint: endpoint.name })
  })
  const byName = {
    send: async (name: string, params: Record<string, unknown>, callOptions?: CallOptions) =>
      callEndpoint(transport, findEndpoint(name), params, callOptions),
    pages: (target: string | { endpoint: string }, params: Record<string, unknown>, pagesOptions: PagesOptions) =>
      readPages(transport, findEndpoint(typeof target === 'string' ? target : target.endpoint), params, pagesOptions),
  }
  return { ...calls, ...byName } as unknown as Client
}

function createTransport(options: ClientOptions): Transport {
  const { token } = options
  return {
    base: readBaseUrl(options.baseUrl),
    // Looked up at each call: the global fetch may be replaced later.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    token: () => readToken(typeof token === 'string' ? token : token()),
    tokenKind: options.tokenKind ?? 'private',
    timeoutMs: options.timeoutMs ?? 10_000,
    attempts: options.attempts ?? 4,
    maxWaitMs: options.maxWaitMs ?? 5_000,
    maxResponseBytes: options.maxResponseBytes ?? 50 * 1024 * 1024,
    cache: createResponseCache(),
    log: options.log,
    onLimits: options.onLimits,
    rateLimitedUntil: options.rateLimitedUntil,
  }
}

/** The messages do not quote the URL: it may hold a password. */
function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError('baseUrl must be an http or https address')
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not carry a user name or password')
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must not carry a query or fragment')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v4$/, '')
  return `${url.origin}${path}/api/v4`
}

/** Checked here because fetch quotes an invalid header value, the token, in its error. */
function readToken(token: string): string {
  const trimmed = token.trim()
  if (/[^\x21-\x7e]/.test(trimmed)) throw new TypeError('the token has characters that no header can carry')
  return trimmed
}

function findEndpoint(name: string): Endpoint {
  const endpoint = endpointsByName.get(name)
  if (endpoint === undefined)
    throw new InvalidCallError(name, [{ at: 'endpoint', problem: 'the contract has no such endpoint' }])
  return endpoint
}
