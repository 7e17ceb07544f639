// Who is logged in: a signed cookie that names the token and never holds it. Nothing is stored, so every process that has the same tokens knows it.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sameText } from '../authenticate.ts'
import type { AdminToken } from '../tokens.ts'

export interface Session {
  name: string
  scopes: AdminToken['scopes']
  /** What a form of this session must bring back. */
  csrf: string
}

export interface Sessions {
  /** The value of a new cookie. */
  begin(token: AdminToken): string
  /** Whose cookie it is; undefined where it was not signed by a token that is in force, or is over. */
  read(cookie: string | undefined): Session | undefined
}

export const SESSION_MS = 12 * 60 * 60 * 1_000

/** Each token signs its own sessions: they end when it is changed, and no other's do. */
export function createSessions(tokens: readonly AdminToken[], now: () => number): Sessions {
  const signing = tokens.filter(({ token }) => token !== '').map((token) => ({ token, key: keyOf(token) }))

  return {
    begin(token) {
      const signed = [token.name, now() + SESSION_MS, randomBytes(12).toString('base64url')].join('~')
      return `${signed}~${mac(keyOf(token), signed)}`
    },
    read(cookie = '') {
      const [, signed = '', name, ends, given = ''] = /^(([^~]+)~(\d+)~[\w-]+)~([\w-]+)$/.exec(cookie) ?? []
      const found = signing.find(({ token, key }) => token.name === name && sameText(given, mac(key, signed)))
      if (found === undefined || now() >= Number(ends)) return undefined
      return { name: found.token.name, scopes: found.token.scopes, csrf: mac(found.key, `form ${cookie}`) }
    },
  }
}

const keyOf = ({ token }: AdminToken) => Buffer.from(hkdfSync('sha256', token, '', 'bellhop: sessions of the dashboard', 32))
const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')
