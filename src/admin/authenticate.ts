// Lets only bearers of an admin token in, compared in constant time; without a configured token nobody gets in.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { AdminToken } from './tokens.ts'
import { countWrongTokens } from './wrong-tokens.ts'

export type Admission =
  | { is: 'in'; token: AdminToken }
  | { is: 'wrong' }
  /** Too many wrong tokens came from there. */
  | { is: 'blocked'; seconds: number }

/** From which address a request comes; undefined where its connection is gone. */
export type AddressOf = (request: IncomingMessage) => string | undefined

export interface Door {
  /** Whose token a request bears; undefined: it was answered, 401 with one and the same body for a missing and a wrong token, or 429. */
  enter(request: Request, response: Response): AdminToken | undefined
  /** Whose token was given in a request; none given is wrong, but not counted. */
  admit(request: IncomingMessage, given: string | undefined): Admission
}

/** The door of the admin side. Ten wrong tokens of one address within a minute, and nothing of it is looked at until the minute is over: 429, for a right token too. */
export function createDoor(tokens: readonly AdminToken[], now: () => number, addressOf: AddressOf): Door {
  const wrong = countWrongTokens(now)

  function admit(request: IncomingMessage, given: string | undefined): Admission {
    const address = addressOf(request) ?? ''
    const seconds = wrong.blocked(address)
    // Looked at all the same, a right guess would stand out among the wrong ones.
    if (seconds !== undefined) return { is: 'blocked', seconds }
    const token = given === undefined ? undefined : ownerOf(given, tokens)
    if (token !== undefined) return { is: 'in', token }
    if (given !== undefined) wrong.count(address)
    return { is: 'wrong' }
  }

  return {
    admit,
    enter(request, response) {
      const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const admitted = admit(request, given === undefined ? undefined : asUtf8(given))
      if (admitted.is === 'in') return admitted.token
      if (admitted.is === 'blocked')
        response.status(429).set('Retry-After', String(admitted.seconds)).json({ error: 'Too many wrong tokens came from this address.' })
      else response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'The admin token is missing or wrong.' })
      return undefined
    },
  }
}

/** All are compared, so that the time tells nothing. */
function ownerOf(given: string, tokens: readonly AdminToken[]): AdminToken | undefined {
  // Fails closed: an empty token is no way in.
  return tokens.filter(({ token }) => sameText(given, token) && token !== '')[0]
}

/** Node reads header bytes one by one; other letters than ASCII are sent in UTF-8. */
function asUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

/** In constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
