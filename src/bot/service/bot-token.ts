// The bot's token: whose it is (GET /user), when it expires (GET /personal_access_tokens/self), whether it may write.
import { LRUCache } from 'lru-cache'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { isPermanentRefusal } from './retry-policy.ts'

export type TokenExpiry =
  /** Refused from the beginning of this day (UTC) on. `token` is its number; 0 if the service does not tell it. */
  | { is: 'on'; date: string; token: number }
  | { is: 'never' }
  /** A token of OAuth, for example. */
  | { is: 'unknown'; reason: string }

const dayMs = 24 * 60 * 60_000

/** Throws if the service may tell it later: ServiceError for an outage, say. */
export async function askTokenExpiry(client: Pick<Client, 'users'>): Promise<TokenExpiry> {
  try {
    const { id, expires_at } = (await client.users.currentToken({})).body
    if (expires_at === null) return { is: 'never' }
    if (expires_at === undefined || expiresAt(expires_at) === undefined)
      return { is: 'unknown', reason: 'the service tells no date' }
    return { is: 'on', date: expires_at, token: id ?? 0 }
  } catch (error) {
    if (!(error instanceof ServiceError && isPermanentRefusal(error))) throw error
    return { is: 'unknown', reason: error.message }
  }
}

/** In milliseconds since 1970; undefined for what is no date. */
export function expiresAt(date: string): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** The days left, with their fraction; 0 when it has expired. */
export function daysLeft({ date }: { date: string }, now: number): number {
  return Math.max(0, ((expiresAt(date) ?? 0) - now) / dayMs)
}

export interface TokenScope {
  is: 'fine' | 'too_narrow' | 'unknown'
  /** The service's words. */
  reason?: string
}

/** Tries to write to a project that cannot exist, which changes nothing. Throws what is no ServiceError. */
export async function askTokenScope(client: Pick<Client, 'projects'>): Promise<TokenScope> {
  try {
    await client.projects.star({ id: 'bellhop-doctor/there-is-no-such-project' })
    return { is: 'fine' }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 404) return { is: 'fine' }
    if (error.status === 403) return { is: 'too_narrow', reason: error.serviceMessage?.replace(/\.$/, '') ?? '403' }
    return { is: 'unknown', reason: error.message }
  }
}

const countsForMs = 10 * 60_000

/** Returns the last result at once; reads again in the background after ten minutes, or for another token. */
export function createTokenScope(given: {
  client: Pick<Client, 'projects'>
  token: () => string
  now: () => number
}): () => TokenScope {
  const { client, token, now } = given
  const scopes = new LRUCache<string, TokenScope>({
    max: 1,
    ttl: countsForMs,
    ttlResolution: 0,
    perf: { now },
    allowStale: true,
    ignoreFetchAbort: true,
    fetchMethod: () => askTokenScope(client).catch((error) => ({ is: 'unknown' as const, reason: String(error) })),
  })
  return () => {
    void scopes.forceFetch(token())
    return scopes.get(token()) ?? { is: 'unknown' }
  }
}

export interface BotUser {
  id: number
  username: string
  /** The address of its commits, as it chose; absent if the service does not say it. */
  commitEmail?: string
}

/** Throws ServiceError. */
export type BotUserLookup = () => Promise<BotUser>

/** Concurrent callers share one request; a failure is not cached. */
export function createBotUserLookup(client: Pick<Client, 'users'>, token: () => string): BotUserLookup {
  const users = new LRUCache<string, BotUser>({
    max: 2,
    ignoreFetchAbort: true,
    async fetchMethod() {
      const { id, username, commit_email: commitEmail } = (await client.users.current({})).body
      if (id === undefined || username === undefined) throw new Error('GET /user does not say who the token belongs to')
      return { id, username, ...(commitEmail ? { commitEmail } : {}) }
    },
  })
  return () => users.forceFetch(token())
}
