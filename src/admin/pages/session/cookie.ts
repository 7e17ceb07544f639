// The session cookie of the dashboard.
import type { Request, Response } from 'express'
import { SESSION_MS } from './session.ts'

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
