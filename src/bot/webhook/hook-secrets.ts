// Authenticates deliveries by secret token or Standard Webhooks signature.
import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { hookSignature } from '../../api/hooks.ts'

/** Newest first; all are valid, so that a secret can be rotated without losing a delivery. */
export interface HookSecrets {
  tokens: readonly string[]
  /** `whsec_<base64>`. */
  signing: readonly string[]
}

export interface SignedRequest {
  /** Lower-case names, as Node gives them. */
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Milliseconds since the epoch. */
  now: number
}

// Standard Webhooks' usual window, in both directions.
const signatureWindowSeconds = 300
// 32 bytes in standard base64.
const signatureVersion1 = /^v1,[A-Za-z0-9+/]{43}=$/

/** True when the request must be verified by its signature, which needs the whole body. */
export function isSigned(headers: SignedRequest['headers'], secrets: HookSecrets): boolean {
  return one(headers['webhook-signature']) !== undefined && secrets.signing.length > 0
}

/** False when the signature is wrong whatever the body: its id, timestamp or format is missing or invalid. */
export function mayBeAuthentic({ headers, now }: Pick<SignedRequest, 'headers' | 'now'>): boolean {
  return readSignature(headers, now) !== undefined
}

/**
 * True when the sender knows a secret. Fails closed: a signature must be right if there is one; a request without
 * one needs a secret token.
 */
export function isAuthentic(request: SignedRequest, secrets: HookSecrets): boolean {
  if (isSigned(request.headers, secrets)) return hasValidSignature(request, secrets.signing)
  const token = one(request.headers['x-gitlab-token'])
  if (token === undefined) return false
  // Node decodes headers as Latin-1; a secret with other characters is sent in UTF-8.
  const spellings = [...new Set([token, Buffer.from(token, 'latin1').toString('utf8')])]
  return anyOf(secrets.tokens, (secret) => anyOf(spellings, (each) => isSame(each, secret)))
}

function hasValidSignature({ headers, body, now }: SignedRequest, keys: readonly string[]): boolean {
  const signature = readSignature(headers, now)
  if (signature === undefined) return false
  const { id, timestamp, given } = signature
  return anyOf(keys, (key) => {
    const expected = hookSignature(key, { id, timestamp, body })
    return anyOf(given, (each) => isSame(each, expected))
  })
}

/** Undefined when the signature cannot be right, whatever the body. */
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
    .filter((each) => signatureVersion1.test(each))
  return given.length === 0 ? undefined : { id, timestamp, given }
}

/** Compares hashes of equal length, in constant time. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

/** Tries all, for constant time. */
function anyOf<T>(list: readonly T[], test: (item: T) => boolean): boolean {
  return list.map(test).includes(true)
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/**
 * The secrets of `/hooks/<project id>`: a secret token and a signing token per master key, newest first. They are
 * derived separately: the token is sent in clear text, and must not reveal the signing key.
 */
export function projectSecrets(masterKeys: readonly string[], project: number): HookSecrets {
  return {
    tokens: masterKeys.map((key) => derived(key, `bellhop hook token of project ${project}`).toString('base64url')),
    signing: masterKeys.map(
      (key) => `whsec_${derived(key, `bellhop hook signing key of project ${project}`).toString('base64')}`,
    ),
  }
}

function derived(masterKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
}
