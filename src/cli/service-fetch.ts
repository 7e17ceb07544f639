// The fetch that reaches the service through a proxy, or trusts an authority of the operator's own: Node's fetch knows neither (docs/decisions/0020).

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { proxyFor } from './proxy-for.ts'
import { UserError } from './user-error.ts'

export interface WayOut {
  serviceUrl: string
  /** As `BELLHOP_PROXY` says it. */
  proxy: string
  /** Empty: Node's own authorities alone. */
  caFile: string
}

type Environment = Record<string, string | undefined>

// Errors of connecting: with a proxy between, the proxy is the only place that is connected to.
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Undefined where Node's own fetch will do. Throws UserError for a file that holds no certificate. */
export function serviceFetch({ serviceUrl, proxy, caFile }: WayOut, environment: Environment): typeof fetch | undefined {
  const through = proxyFor(new URL(serviceUrl), proxy, environment)
  if (through === undefined && caFile === '') return undefined
  const tls =
    caFile === ''
      ? {}
      : { secureContext: createSecureContext({ ca: [...rootCertificates, ...readAuthorities(caFile), ...extraAuthorities(environment)] }) }
  let opened: Promise<Opened> | undefined
  return async (input, init) => {
    opened ??= open(through, tls)
    const { undici, dispatcher } = await opened
    const body = init?.body instanceof FormData ? copyForm(init.body, new undici.FormData()) : init?.body
    try {
      return (await undici.fetch(input as string, { ...(init as object), body: body as string, dispatcher })) as unknown as Response
    } catch (error) {
      throw through === undefined ? error : explained(error, through)
    }
  }
}

interface Opened {
  undici: typeof import('undici')
  dispatcher: Dispatcher
}

/** Loaded when the first request needs it. Fetch and agents must be of one undici: Node's own fetch is of another. */
async function open(through: URL | undefined, tls: object): Promise<Opened> {
  const undici = await import('undici')
  if (through === undefined) return { undici, dispatcher: new undici.Agent({ connect: tls }) }
  const { username, password, origin } = through
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const token = username === '' ? {} : { token: `Basic ${credentials}` }
  // Of http addresses the proxy is asked itself: many do not tunnel to other ports than 443.
  const dispatcher = new undici.ProxyAgent({ uri: origin, ...token, requestTls: tls, proxyTls: tls, proxyTunnel: false })
  return { undici, dispatcher }
}

/** Another undici's form would be sent as the text "[object FormData]". */
function copyForm(form: FormData, copy: import('undici').FormData): import('undici').FormData {
  for (const [key, value] of form) copy.append(key, value as string)
  return copy
}

/** Those that Node itself trusts beside its own. */
function extraAuthorities({ NODE_EXTRA_CA_CERTS: path = '' }: Environment): string[] {
  if (path === '') return []
  try {
    return certificatesIn(path)
  } catch {
    // Node has warned of that file at its start, and goes on without it.
    return []
  }
}

/** Throws where the file cannot be read, or one of them is none. */
function certificatesIn(path: string): string[] {
  const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? []
  for (const each of found) new X509Certificate(each)
  return found
}

function readAuthorities(path: string): string[] {
  try {
    const found = certificatesIn(path)
    if (found.length > 0) return found
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    throw new UserError(`BELLHOP_CA_FILE: expected a file with certificates (PEM), but of ${path}: ${why}.`, { exitCode: 2, cause })
  }
  throw new UserError(`BELLHOP_CA_FILE: expected a file with certificates (PEM), but ${path} holds none.`, { exitCode: 2 })
}

/** Says that it was the proxy that failed, where it was: the codes are those that the client and `remedyFor` know. */
function explained(error: unknown, through: URL): unknown {
  const cause = rootOf(error)
  const code = 'code' in cause ? String(cause.code) : ''
  if (notConnected.has(code)) return failed(`the proxy ${through.origin} cannot be reached: ${cause.message || code}`, 'PROXY_UNREACHABLE')
  const [, status] = /^Proxy .*?\((\d{3})\)/.exec(cause.message) ?? []
  return status === undefined ? error : refused(through, Number(status))
}

function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

function refused(through: URL, status: number): Error {
  const why =
    status === 407
      ? `it wants ${through.username === '' ? 'a user name and password' : 'another user name or password'}`
      : 'it does not let us through'
  return failed(`the proxy ${through.origin} answers ${status}: ${why}`, 'PROXY_REFUSED')
}

function failed(message: string, code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}
