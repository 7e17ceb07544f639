// How a web hook is signed, as Standard Webhooks says it (hosting-service.md §1.2): what the service sends us, and what we send to an operator.
import { createHmac } from 'node:crypto'

/** One signature, as it stands in `webhook-signature`. `token` is `whsec_` and the key in base64, `timestamp` seconds since 1970. */
export function hookSignature(token: string, { id, timestamp, body }: { id: string; timestamp: string; body: Buffer | string }): string {
  const key = Buffer.from(token.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}
