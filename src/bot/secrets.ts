// Who may send deliveries: the hook's secret token, or a Standard-Webhooks signature, compared in constant time (hosting-service.md §1.1–1.2).
import { hash, timingSafeEqual } from 'node:crypto'
import { hookSignature } from '../api/hook-signature.ts'

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
// 32 bytes in standard base64.
const macOfVersion1 = /^v1,[A-Za-z0-9+/]{43}=$/

/** True when the request must be judged by its signature, and so by its whole body: it carries one, and there is a key to check it with. */
export function isSigned(headers: SignedRequest['headers'], secrets: HookSecrets): boolean {
  return one(headers['webhook-signature']) !== undefined && secrets.signing.length > 0
}

/** False when no body can make the signature right: its id, its time or its form is missing or wrong. */
export function mayBeAuthentic({ headers, now }: Pick<SignedRequest, 'headers' | 'now'>): boolean {
  return readSignature(headers, now) !== undefined
}

/**
 * True when the request proves that it knows a secret. Fails closed: a signature that is present must be right, and a
 * request without one is taken only where a secret token is configured as well.
 */
export function isAuthentic(request: SignedRequest, secrets: HookSecrets): boolean {
  if (isSigned(request.headers, secrets)) return hasValidSignature(request, secrets.signing)
  const token = one(request.headers['x-gitlab-token'])
  if (token === undefined) return false
  // Node reads header bytes one by one; a secret of other letters than ASCII is sent in UTF-8.
  const spellings = [...new Set([token, Buffer.from(token, 'latin1').toString('utf8')])].map(digest)
  return anyOf(digestsOf(secrets.tokens), (secret) => anyOf(spellings, (each) => timingSafeEqual(each, secret)))
}

function hasValidSignature({ headers, body, now }: SignedRequest, keys: readonly string[]): boolean {
  const signature = readSignature(headers, now)
  if (signature === undefined) return false
  const { id, timestamp, given } = signature
  return anyOf(keys, (key) => {
    const wanted = hookSignature(key, { id, timestamp, body })
    return anyOf(given, (each) => timingSafeEqual(digest(each), digest(wanted)))
  })
}

/** What the headers say of the signature; undefined when it cannot be right, whatever the body. */
function readSignature(
  headers: SignedRequest['headers'],
  now: number,
): { id: string; timestamp: string; given: readonly string[] } | undefined {
  const id = one(headers['webhook-id'])
  const timestamp = one(headers['webhook-timestamp'])
  if (!id || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now / 1000 - Number(timestamp)) > signatureWindowSeconds) return undefined
  const given = (one(headers['webhook-signature']) ?? '')
    .split(' ')
    .slice(0, 20)
    .filter((each) => macOfVersion1.test(each))
  return given.length === 0 ? undefined : { id, timestamp, given }
}

const digested = new WeakMap<readonly string[], Buffer[]>()

/** Those of `/hooks` stay the same from one request to the next; hashing them anew took longer than all else that is checked. */
function digestsOf(secrets: readonly string[]): Buffer[] {
  const known = digested.get(secrets) ?? secrets.map(digest)
  digested.set(secrets, known)
  return known
}

/** What is compared: of one length for all texts, so that neither content nor length shows in the time it takes. */
function digest(text: string): Buffer {
  // A hash object is freed by the garbage collector alone, at a cost; so is a buffer of its own.
  return Buffer.from(hash('sha256', text, 'binary'), 'binary')
}

/** Tries all of them, so that the time does not tell which one matched. */
function anyOf<T>(list: readonly T[], test: (item: T) => boolean): boolean {
  return list.map(test).includes(true)
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
