// When two deliveries are the same: equal sender ids, else equal bodies in ten minutes.
// When two deliveries are of the same event: api/event-content.ts.
import { createHash, hash } from 'node:crypto'

const hashWindowMs = 10 * 60_000

export interface DeliveryId {
  id: string
  /** The id of the same body in the previous window; only for hashes. */
  before?: string
}

/**
 * Never by X-Gitlab-Event-UUID (shared by a chain of events) or X-Gitlab-Webhook-UUID (new for each attempt). Ids are
 * hashed: they come from outside, and a job id must not be an integer or have a ':'.
 */
export function deliveryId(
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
  now: number,
  secretProject?: number,
): DeliveryId {
  // A sender of one project must not take the id of another's delivery.
  const sender = secretProject === undefined ? [] : [`project ${secretProject}`]
  const sent = headers['webhook-id'] || headers['idempotency-key']
  if (typeof sent === 'string' && sent !== '') return { id: `d-${digest([...sender, 'id', sent])}` }
  const content = digest([...sender, 'body', String(headers['x-gitlab-event'] ?? '')], body)
  const window = Math.floor(now / hashWindowMs)
  return { id: `d-${digest([content, String(window)])}`, before: `d-${digest([content, String(window - 1)])}` }
}

/** Whether a delivery of that age still counts for the same body. */
export function isWithinHashWindow(addedAt: number, now: number): boolean {
  return now - addedAt < hashWindowMs
}

function digest(names: readonly string[], body?: Buffer): string {
  const named = `${names.join('\0')}\0`
  const hex =
    body === undefined
      ? hash('sha256', named)
      : createHash('sha256').update(named).update(body).update('\0').digest('hex')
  return hex.slice(0, 32)
}
