// The cookies of the dashboard: the session, and the chosen service.
import type { Request, Response } from 'express'
import { SESSION_MS } from './session.ts'

const NAME = 'bellhop_session'
const SERVICE = 'bellhop_service'
// Strict: another site cannot even open our pages with the user’s session.
const always = { httpOnly: true, sameSite: 'strict', path: '/admin' } as const

export const sessionCookie = (request: Request) => cookieNamed(NAME, request)

export const serviceCookie = (request: Request) => cookieNamed(SERVICE, request)

function cookieNamed(name: string, { headers }: Request): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((each) => each.trim())
  return pairs.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
}

export function setServiceCookie(response: Response, service: string, secure: boolean): void {
  response.cookie(SERVICE, service, { ...always, secure, encode: String })
}

export function setSessionCookie(response: Response, value: string, secure: boolean): void {
  response.cookie(NAME, value, { ...always, secure, maxAge: SESSION_MS, encode: String })
}

export function clearSessionCookie(response: Response, secure: boolean): void {
  response.clearCookie(NAME, { ...always, secure })
}
