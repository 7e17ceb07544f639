// How the sandbox says no: a status and a body in the shapes of real installations (hosting-service.md §3.4).

/** Thrown by a handler; becomes the answer. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, body: Record<string, unknown>) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

export function unauthorized(): Refusal {
  return new Refusal(401, { message: '401 Unauthorized' })
}

export function forbidden(): Refusal {
  return new Refusal(403, { message: '403 Forbidden' })
}

/** The token is good, its scopes are not (hosting-service.md §3.4). */
export function insufficientScope(scopes: readonly string[]): Refusal {
  const error_description = 'The request requires higher privileges than provided by the access token.'
  return new Refusal(403, { error: 'insufficient_scope', error_description, scope: scopes.join(' ') })
}

/** Also the answer for what the caller may not see. */
export function notFound(what?: string): Refusal {
  return new Refusal(404, { message: what === undefined ? '404 Not found' : `404 ${what} Not Found` })
}

/** A parameter that is missing, malformed or out of its list. */
export function badParameter(sentence: string): Refusal {
  return new Refusal(400, { error: sentence })
}

/** A field that the service itself finds unfit. */
export function invalid(field: string, sentence: string): Refusal {
  return new Refusal(400, { message: { [field]: [sentence] } })
}

export function refuse(status: number, message: string | string[]): Refusal {
  return new Refusal(status, { message })
}
