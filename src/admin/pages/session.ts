// Who is logged in: a signed cookie that names the token and never holds it. Every process with the same tokens reads it; the journal has those that logged out.
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Journal } from '../../journal/types.ts'
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
  /** Whose cookie it is; undefined where it was not signed by a token that is in force, or is over. Throws JournalUnavailable. */
  read(cookie: string | undefined): Promise<Session | undefined>
  /** Ends the session of a cookie in every process, for whoever has a copy of the cookie as well. Throws JournalUnavailable. */
  end(cookie: string | undefined): Promise<void>
}

type Ended = Pick<Journal, 'endSession' | 'sessionEnded'>

export const SESSION_MS = 12 * 60 * 60 * 1_000

/** Each token signs its own sessions: they end when it is changed, and no other's do. */
export function createSessions(tokens: readonly AdminToken[], now: () => number, ended: Ended): Sessions {
  const signing = tokens.filter(({ token }) => token !== '').map((token) => ({ token, key: keyOf(token) }))

  function authentic(cookie: string): ((typeof signing)[number] & { id: string }) | undefined {
    const [, signed = '', name, ends, given = ''] = /^(([^~]+)~(\d+)~[\w-]+)~([\w-]+)$/.exec(cookie) ?? []
    const found = signing.find(({ token, key }) => token.name === name && sameText(given, mac(key, signed)))
    if (found === undefined || now() >= Number(ends)) return undefined
    return { ...found, id: createHash('sha256').update(signed).digest('base64url') }
  }

  return {
    begin(token) {
      const signed = [token.name, now() + SESSION_MS, randomBytes(12).toString('base64url')].join('~')
      return `${signed}~${mac(keyOf(token), signed)}`
    },
    async read(cookie = '') {
      const found = authentic(cookie)
      if (found === undefined || (await ended.sessionEnded(found.id))) return undefined
      return { name: found.token.name, scopes: found.token.scopes, csrf: mac(found.key, `form ${cookie}`) }
    },
    async end(cookie = '') {
      const found = authentic(cookie)
      if (found !== undefined) await ended.endSession(found.id)
    },
  }
}

const keyOf = ({ token }: AdminToken) => Buffer.from(hkdfSync('sha256', token, '', 'bellhop: sessions of the dashboard', 32))
const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')
