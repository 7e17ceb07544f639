// The cookie of the dashboard's sessions.
import type { Request, Response } from 'express'
import { SESSION_MS } from './session.ts'

const NAME = 'bellhop_session'
// Strict: a page of another site cannot even open one of ours as the person who is logged in.
const always = { httpOnly: true, sameSite: 'strict', path: '/admin' } as const

/** Its value; undefined where none came. */
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
