// Error responses in GitLab's shapes, and how JSON is sent.
import type { Response } from 'express'

/** Thrown by a handler; becomes the response. */
export class ErrorResponse extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, body: Record<string, unknown>) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

export function unauthorized(): ErrorResponse {
  return new ErrorResponse(401, { message: '401 Unauthorized' })
}

export function forbidden(): ErrorResponse {
  return new ErrorResponse(403, { message: '403 Forbidden' })
}

/** The token is valid but lacks a scope. */
export function insufficientScope(scopes: readonly string[]): ErrorResponse {
  const error_description = 'The request requires higher privileges than provided by the access token.'
  return new ErrorResponse(403, { error: 'insufficient_scope', error_description, scope: scopes.join(' ') })
}

/** Also for what the caller may not see. */
export function notFound(what?: string): ErrorResponse {
  return new ErrorResponse(404, { message: what === undefined ? '404 Not found' : `404 ${what} Not Found` })
}

/** The value; throws 404 without one. */
export function orNotFound<T>(value: T | null | undefined, what?: string): T {
  if (value === undefined || value === null) throw notFound(what)
  return value
}

/** The response for an address that this version does not know. */
export function noSuchRoute(): ErrorResponse {
  return new ErrorResponse(404, { error: '404 Not Found' })
}

export function badParameter(sentence: string): ErrorResponse {
  return new ErrorResponse(400, { error: sentence })
}

export function invalid(field: string, sentence: string): ErrorResponse {
  return new ErrorResponse(400, { message: { [field]: [sentence] } })
}

export function refuse(status: number, message: string | string[]): ErrorResponse {
  return new ErrorResponse(status, { message })
}

/** With GitLab's content type, which names no character set: python-gitlab 3 compares it literally. */
export function sendJson(response: Response, status: number, body: unknown): void {
  // Express adds a character set to texts, not to bytes.
  response.status(status).setHeader('Content-Type', 'application/json')
  response.send(Buffer.from(JSON.stringify(body)))
}
