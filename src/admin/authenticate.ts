// Lets only bearers of the admin token in, compared in constant time; without a configured token nobody gets in.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'

/** 401 with one and the same body for a missing and a wrong token, and when none is configured. */
export function authenticate(token: string | undefined): RequestHandler {
  return (request, response, next) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    // Fails closed: no configured token is no way in.
    if (token !== undefined && token !== '' && given !== undefined && sameText(asUtf8(given), token)) return next()
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'The admin token is missing or wrong.' })
  }
}

/** Node reads header bytes one by one; other letters than ASCII are sent in UTF-8. */
function asUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
