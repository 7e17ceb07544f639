// The tokens of the admin API: each has a name, which the audit log tells, and scopes.

export const scopes = ['read', 'replay', 'manage'] as const
/** `read` sees everything; `replay` judges again and sweeps; `manage` pauses, retries and discards. None implies another. */
export type Scope = (typeof scopes)[number]

export interface AdminToken {
  name: string
  scopes: readonly Scope[]
  token: string
}

const shortest = 16

/** `name:scope+scope:token` between commas. Throws an Error that says what is expected, and never shows a token. */
export function readAdminTokens(text: string): AdminToken[] {
  const all = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(readOne)
  // One token of two names: who was it?
  if (new Set(all.map(({ token }) => token)).size < all.length) throw new Error('a token of its own for each name')
  return all
}

/** The tokens that let in: those of names, and the single one, which is called admin and may do everything. */
export function allAdminTokens(single: string, named: readonly AdminToken[]): AdminToken[] {
  return single === '' ? [...named] : [...named, { name: 'admin', scopes, token: single }]
}

function readOne(text: string): AdminToken {
  const [, name, list, token] = /^([A-Za-z0-9][A-Za-z0-9._@-]{0,63}):([a-z+]+):(.+)$/.exec(text) ?? []
  if (name === undefined || list === undefined || token === undefined) throw new Error('name:scope+scope:token, separated by commas')
  const wanted = list.split('+')
  const found = scopes.filter((scope) => wanted.includes(scope))
  if (found.length < wanted.length) throw new Error(`each of the scopes once: ${scopes.join(', ')}`)
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < shortest)
    throw new Error(`tokens of at least ${shortest} printable characters without spaces (openssl rand -hex 32 makes one)`)
  return { name, scopes: found, token }
}
