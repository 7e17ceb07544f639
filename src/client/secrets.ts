// Removes the token and other secrets from every text that leaves the client.

const HIDDEN = '[hidden]'
const CAUSE_DEPTH = 5

/** Replaces all secrets, also URL-encoded: services echo what they get. */
export function scrub(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret !== '')
      .toSorted((a, b) => b.length - a.length)
      // encodeURIComponent throws on half a surrogate pair.
      .flatMap((secret) => [secret, encodeURIComponent(Buffer.from(secret).toString())])
      .reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text)
  )
}

/**
 * A copy of an error and its causes without secrets: only name, message and code, since other properties may hold the
 * request.
 */
export function safeCause(error: unknown, secrets: readonly string[], depth = 0): Error | undefined {
  if (depth >= CAUSE_DEPTH || error === undefined || error === null) return undefined
  if (!(error instanceof Error)) return new Error(scrub(String(error), secrets))
  const cause = safeCause(error.cause, secrets, depth + 1)
  const code = errorCode(error)
  const text = error.message === '' ? (code ?? error.name) : error.message
  const copy = new Error(scrub(text, secrets), cause === undefined ? undefined : { cause })
  copy.name = error.name
  copy.stack = scrub(error.stack ?? '', secrets)
  return code === undefined ? copy : Object.assign(copy, { code })
}

/** The system's error code (`ECONNREFUSED`), if any. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
