// Who may send deliveries: the hook's secret token, or a Standard-Webhooks signature, compared in constant time (hosting-service.md §1.1–1.2).
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Newest first; each stays valid until it is taken out, so that a secret can be changed without losing a delivery. */
export interface HookSecrets {
  tokens: readonly string[]
  /** `whsec_<base64>`. */
  signing: readonly string[]
}

export interface SignedRequest {
  /** Lower-case names, as node gives them. */
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Milliseconds since the epoch. */
  now: number
}

// Standard Webhooks' usual window, either way.
const signatureWindowSeconds = 300

/** True when the request must be judged by its signature, and so by its whole body: it carries one, and there is a key to check it with. */
export function isSigned(headers: SignedRequest['headers'], secrets: HookSecrets): boolean {
  return one(headers['webhook-signature']) !== undefined && secrets.signing.length > 0
}

/**
 * True when the request proves that it knows a secret. Fails closed: a signature that is present must be right, and a
 * request without one is taken only where a secret token is configured as well.
 */
export function isAuthentic(request: SignedRequest, secrets: HookSecrets): boolean {
  const signature = one(request.headers['webhook-signature'])
  if (signature !== undefined && isSigned(request.headers, secrets)) return hasValidSignature(request, signature, secrets.signing)
  const token = one(request.headers['x-gitlab-token'])
  if (token === undefined) return false
  // Node reads header bytes one by one; a secret of other letters than ASCII is sent in UTF-8.
  const spellings = [token, Buffer.from(token, 'latin1').toString('utf8')]
  return anyOf(secrets.tokens, (secret) => anyOf(spellings, (each) => sameText(each, secret)))
}

function hasValidSignature(request: SignedRequest, signature: string, keys: readonly string[]): boolean {
  const id = one(request.headers['webhook-id'])
  const timestamp = one(request.headers['webhook-timestamp'])
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(request.now / 1000 - Number(timestamp)) > signatureWindowSeconds) return false
  const given = signature
    .split(' ')
    .slice(0, 20)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => each.slice(3))
  return anyOf(keys, (key) => {
    const hmac = createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64'))
    const wanted = hmac.update(`${id}.${timestamp}.`).update(request.body).digest('base64')
    return anyOf(given, (each) => sameText(each, wanted))
  })
}

/** Both sides are hashed first, so that neither content nor length shows in the time it takes. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

/** Tries all of them, so that the time does not tell which one matched. */
function anyOf<T>(list: readonly T[], test: (item: T) => boolean): boolean {
  return list.map(test).includes(true)
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
