// Signs web hooks as in Standard Webhooks.
import { createHmac } from 'node:crypto'

/** One `webhook-signature`. `token` is `whsec_` and the key in base64, `timestamp` in seconds since 1970. */
export function hookSignature(
  token: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Buffer | string },
): string {
  const key = Buffer.from(token.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}
