// A fetch with a proxy or private certificate authorities, which Node's fetch does not support.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { expectation, proxyAddress } from '../settings/setting.ts'
import type { Config } from '../settings/settings.ts'
import { UsageError } from '../user-error.ts'

type NetworkRoute = Pick<Config, 'serviceUrl' | 'proxy' | 'caFile'>

type Environment = Record<string, string | undefined>
type Undici = typeof import('undici')

// With a proxy, connection errors are the proxy's.
const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Undefined if Node's fetch suffices. Throws UsageError for a file without certificates. */
export function serviceFetch(
  { serviceUrl, proxy, caFile }: NetworkRoute,
  environment: Environment,
): typeof fetch | undefined {
  const through = proxyFor(new URL(serviceUrl), proxy, environment)
  if (through === undefined && caFile === '') return undefined
  const tls =
    caFile === '' ? {} : { secureContext: createSecureContext({ ca: trustedAuthorities(caFile, environment) }) }
  let opened: ReturnType<typeof open> | undefined
  return async (input, init) => {
    opened ??= open(through, tls)
    const { undici, dispatcher } = await opened
    const body = init?.body instanceof FormData ? copyForm(init.body, new undici.FormData()) : init?.body
    try {
      const given = { ...(init as object), body: body as string, dispatcher }
      return (await undici.fetch(input as string, given)) as unknown as Response
    } catch (error) {
      throw through === undefined ? error : explained(error, through)
    }
  }
}

/** Node's own, and those of the files (PEM). Throws UsageError for a file without certificates. */
export const trustedAuthorities = (caFile: string, environment: Environment): string[] => [
  ...rootCertificates,
  ...(caFile === '' ? [] : readAuthorities(caFile)),
  ...extraAuthorities(environment),
]

/** Loaded at the first request. Fetch and agents must come from the same undici. */
async function open(through: URL | undefined, tls: object): Promise<{ undici: Undici; dispatcher: Dispatcher }> {
  const undici = await import('undici')
  if (through === undefined) return { undici, dispatcher: new undici.Agent({ connect: tls }) }
  const { username, password, origin } = through
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  // Plain http is not tunnelled: many proxies tunnel only to port 443.
  const dispatcher = new undici.ProxyAgent({
    uri: origin,
    token: username === '' ? undefined : `Basic ${credentials}`,
    requestTls: tls,
    proxyTls: tls,
    proxyTunnel: false,
  })
  return { undici, dispatcher }
}

/** A form of another undici would be sent as "[object FormData]". */
function copyForm(form: FormData, copy: import('undici').FormData): import('undici').FormData {
  for (const [key, value] of form) copy.append(key, value as string)
  return copy
}

function extraAuthorities({ NODE_EXTRA_CA_CERTS: path = '' }: Environment): string[] {
  if (path === '') return []
  try {
    return certificatesIn(path)
  } catch {
    // Node warns of that file at its start.
    return []
  }
}

/** Throws if the file is unreadable or a certificate invalid. */
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
    throw new UsageError(`BELLHOP_CA_FILE: expected a file with certificates (PEM), but ${path}: ${why}.`, { cause })
  }
  throw new UsageError(`BELLHOP_CA_FILE: expected a file with certificates (PEM), but ${path} holds none.`)
}

/** Names the proxy if it failed, with codes that `remedyFor` knows. */
function explained(error: unknown, through: URL): unknown {
  const cause = rootOf(error)
  const code = 'code' in cause ? String(cause.code) : ''
  if (notConnected.has(code))
    return failed(`the proxy ${through.origin} cannot be reached: ${cause.message || code}`, 'PROXY_UNREACHABLE')
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
      ? `it requires ${through.username === '' ? 'a user name and password' : 'another user name or password'}`
      : 'it refuses the connection'
  return failed(`the proxy ${through.origin} answers ${status}: ${why}`, 'PROXY_REFUSED')
}

function failed(message: string, code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}

/** Undefined: none. Throws UsageError without the text, which may hold a password. */
export function proxyFor(target: URL, proxy: string, environment: Record<string, string | undefined>): URL | undefined {
  if (proxy === '') return undefined
  if (proxy !== 'environment') return new URL(proxy)
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || ''
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  if (given(name) === '' || isExempt(target, given('NO_PROXY'))) return undefined
  try {
    return new URL(proxyAddress(given(name)))
  } catch (cause) {
    throw new UsageError(`${name}: ${expectation(cause)}.`, { cause })
  }
}

/** As in curl: `*`, or names including subdomains, with an optional leading dot and port. */
function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((each) => {
    const [, name = '', onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(each.toLowerCase()) ?? []
    if (each === '*') return true
    if (name === '' || (onlyPort !== undefined && onlyPort !== ownPort)) return false
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}
