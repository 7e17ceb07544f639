// Admin tokens: parses them, authenticates their bearers in constant time, and slows down guessing. Without a token
// nobody gets in.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'

/** `blocked`: too many wrong tokens came from this address; try again after so many seconds. */
type TokenCheck = { result: 'valid'; token: AdminToken } | { result: 'wrong' } | { result: 'blocked'; seconds: number }

export type Authenticator = ReturnType<typeof createAuthenticator>

/**
 * `now` is a clock that is never set back; an address is undefined if the connection is closed. After ten wrong tokens
 * from one address within a minute, every token from there is refused until the minute ends.
 */
export function createAuthenticator(
  tokens: readonly AdminToken[],
  now: () => number,
  addressOf: (request: IncomingMessage) => string | undefined,
) {
  const wrong = countWrongTokens(now)

  /** Checks a token sent in any way; a missing one is wrong, but not counted. */
  function check(request: IncomingMessage, given: string | undefined): TokenCheck {
    const address = addressOf(request) ?? ''
    const seconds = wrong.blockedSeconds(address)
    // Also for a valid token: otherwise a right guess would stand out.
    if (seconds !== undefined) return { result: 'blocked', seconds }
    const token = given === undefined ? undefined : findToken(given, tokens)
    if (token !== undefined) return { result: 'valid', token }
    if (given !== undefined) wrong.count(address)
    return { result: 'wrong' }
  }

  return {
    check,
    /** The token of a request. Undefined: already answered, with 401 (the same for a missing or wrong token) or 429. */
    authenticate(request: Request, response: Response): AdminToken | undefined {
      const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const checked = check(request, given === undefined ? undefined : asUtf8(given))
      if (checked.result === 'valid') return checked.token
      if (checked.result === 'blocked')
        response
          .status(429)
          .set('Retry-After', String(checked.seconds))
          .json({ error: 'Too many wrong tokens came from this address.' })
      else
        response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'The admin token is missing or wrong.' })
      return undefined
    },
  }
}

/** Compares with every token, so that the time reveals nothing. Fails closed: an empty token never matches. */
function findToken(given: string, tokens: readonly AdminToken[]): AdminToken | undefined {
  return tokens.filter(({ token }) => sameText(given, token) && token !== '')[0]
}

/** Node decodes headers as Latin-1; clients send UTF-8. */
const asUtf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8')

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

const defaults = { most: 10, withinMs: 60_000, addresses: 10_000 }

/** `now` is a clock that is never set back. Remembers a bounded number of addresses and evicts the oldest. */
export function countWrongTokens(now: () => number, { most, withinMs, addresses } = defaults) {
  const wrong = new LRUCache<string, { times: number }>({
    max: addresses,
    ttl: withinMs,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    /** Seconds until the address is unblocked; undefined if it is not blocked. */
    blockedSeconds(address: string): number | undefined {
      const key = network(address)
      const isBlocked = (wrong.get(key)?.times ?? 0) >= most
      return isBlocked ? Math.ceil(wrong.getRemainingTTL(key) / 1_000) || undefined : undefined
    },
    count(address: string): void {
      const key = network(address)
      const found = wrong.get(key)
      if (found === undefined) wrong.set(key, { times: 1 })
      else found.times += 1
    },
  }
}

/** An IPv4 address, or the /64 of an IPv6 address: one client usually has all of it. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const groups =
    after === undefined
      ? head
      : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

export const scopes = ['read', 'replay', 'manage'] as const
/**
 * `read` sees everything; `replay` evaluates again and sweeps; `manage` pauses, retries and discards. None implies
 * another, and without `read` no response has text of the service.
 */
export type Scope = (typeof scopes)[number]

export interface AdminToken {
  name: string
  scopes: readonly Scope[]
  token: string
}

const shortest = 16

/** Parses `name:scope+scope:token`, separated by commas. Throws an Error with the expected format, never a token. */
export function readAdminTokens(text: string): AdminToken[] {
  const all = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(readOne)
  // The audit log could not tell two names with one token apart.
  if (new Set(all.map(({ token }) => token)).size < all.length) throw new Error('a token of its own for each name')
  return all
}

/** All valid tokens: the named ones, and the single one, which is called admin and has every scope. */
export function allAdminTokens(single: string, named: readonly AdminToken[]): AdminToken[] {
  return single === '' ? [...named] : [...named, { name: 'admin', scopes, token: single }]
}

function readOne(text: string): AdminToken {
  const [, name, list, token] = /^([A-Za-z0-9][A-Za-z0-9._@-]{0,63}):([a-z+]+):(.+)$/.exec(text) ?? []
  if (name === undefined || list === undefined || token === undefined)
    throw new Error('name:scope+scope:token, separated by commas')
  const requested = list.split('+')
  const found = scopes.filter((scope) => requested.includes(scope))
  if (found.length < requested.length) throw new Error(`each of the scopes once: ${scopes.join(', ')}`)
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < shortest)
    throw new Error(
      `tokens of at least ${shortest} printable characters without spaces (openssl rand -hex 32 makes one)`,
    )
  return { name, scopes: found, token }
}
