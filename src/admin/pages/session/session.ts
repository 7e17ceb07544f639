// Sessions: signed cookies with the token's name, for all processes with the same tokens. The journal has ended ones.
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Journal } from '../../../journal/journal.ts'
import { wholeService } from '../../../journal/tables/marks.ts'
import { type AdminToken, sameText } from '../../access/authenticate.ts'

export interface Session {
  name: string
  scopes: AdminToken['scopes']
  /** Every form of this session must contain it. */
  csrf: string
}

type EndedSessions = Pick<Journal, 'marks'>

export const SESSION_MS = 12 * 60 * 60 * 1_000

/** Each token signs its own sessions, so they end when it changes. */
export function createSessions(tokens: readonly AdminToken[], now: () => number, ended: EndedSessions) {
  const signing = tokens.filter(({ token }) => token !== '').map((token) => ({ token, key: keyOf(token) }))

  function authentic(cookie: string): ((typeof signing)[number] & { id: string }) | undefined {
    const [, signed = '', name, ends, given = ''] = /^(([^~]+)~(\d+)~[\w-]+)~([\w-]+)$/.exec(cookie) ?? []
    const found = signing.find(({ token, key }) => token.name === name && sameText(given, mac(key, signed)))
    if (found === undefined || now() >= Number(ends)) return undefined
    return { ...found, id: createHash('sha256').update(signed).digest('base64url') }
  }

  return {
    /** The value of a new cookie. */
    begin(token: AdminToken): string {
      const signed = [token.name, now() + SESSION_MS, randomBytes(12).toString('base64url')].join('~')
      return `${signed}~${mac(keyOf(token), signed)}`
    },
    /** Undefined if no valid token signed the cookie, or it expired or ended. Throws JournalUnavailable. */
    async read(cookie = ''): Promise<Session | undefined> {
      const found = authentic(cookie)
      if (found === undefined || (await ended.marks.read(wholeService, endedMark(found.id))) === true) return undefined
      return { name: found.token.name, scopes: found.token.scopes, csrf: mac(found.key, `form ${cookie}`) }
    },
    /** Ends the session in every process, for copies of the cookie too. Throws JournalUnavailable. */
    async end(cookie = ''): Promise<void> {
      const found = authentic(cookie)
      if (found !== undefined) await ended.marks.write(wholeService, endedMark(found.id), true, SESSION_MS)
    },
  }
}

const endedMark = (id: string) => `ended session ${id}`
const keyOf = ({ token }: AdminToken) =>
  Buffer.from(hkdfSync('sha256', token, '', 'bellhop: sessions of the dashboard', 32))
const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

const NAME = 'bellhop_session'
// Strict: another site cannot even open our pages with the user’s session.
const always = { httpOnly: true, sameSite: 'strict', path: '/admin' } as const

export function sessionCookie({ headers }: Request): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((each) => each.trim())
  return pairs.find((each) => each.startsWith(`${NAME}=`))?.slice(NAME.length + 1)
}

export function setSessionCookie(response: Response, value: string, secure: boolean): void {
  response.cookie(NAME, value, { ...always, secure, maxAge: SESSION_MS, encode: String })
}

export function clearSessionCookie(response: Response, secure: boolean): void {
  response.clearCookie(NAME, { ...always, secure })
}
