// The tokens of the admin API: each has a name, which the audit log records, and scopes.

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
