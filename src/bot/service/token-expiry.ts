// When the bot's token expires, as the service tells (GET /personal_access_tokens/self).
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
