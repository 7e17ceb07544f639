// Signs deliveries as Standard Webhooks does (hosting-service.md §1.2).
import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** `whsec_` and base64 of 24 to 64 bytes, the lengths that Standard Webhooks knows; GitLab's own have 32. */
export function isSigningToken(text: string): boolean {
  if (!text.startsWith(prefix)) return false
  const key = keyOf(text)
  return key.toString('base64') === text.slice(prefix.length) && key.length >= 24 && key.length <= 64
}

/** The value of `webhook-signature`. */
export function sign(token: string, { id, timestamp, body }: { id: string; timestamp: string; body: Buffer }): string {
  return `v1,${createHmac('sha256', keyOf(token)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

function keyOf(token: string): Buffer {
  return Buffer.from(token.slice(prefix.length), 'base64')
}
