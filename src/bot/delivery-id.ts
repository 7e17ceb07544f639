// What makes two deliveries the same one (hosting-service.md §1.1, DESIGN §6): the sender's id, else the very same body within ten minutes.
import { createHash, hash } from 'node:crypto'

const hashWindowMs = 10 * 60_000

export interface DeliveryId {
  id: string
  /** The id that the same body had in the window before; only for hashes. */
  before?: string
}

/**
 * Names a delivery. Never by X-Gitlab-Event-UUID (a whole chain of events shares it) nor X-Gitlab-Webhook-UUID (differs
 * with each attempt). Ids are hashed: they come from outside, and a job id may hold neither ':' nor a bare integer.
 */
export function deliveryId(
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
  now: number,
  from: { service: string; boundTo?: number | undefined },
): DeliveryId {
  // Who may speak for one service or project alone must not be able to take the id of another's delivery.
  const { service, boundTo } = from
  const speaker = [`service ${service}`, ...(boundTo === undefined ? [] : [`project ${boundTo}`])]
  const sent = headers['webhook-id'] || headers['idempotency-key']
  if (typeof sent === 'string' && sent !== '') return { id: `d-${digest([...speaker, 'id', sent])}` }
  const content = digest([...speaker, 'body', String(headers['x-gitlab-event'] ?? '')], body)
  const window = Math.floor(now / hashWindowMs)
  return { id: `d-${digest([content, String(window)])}`, before: `d-${digest([content, String(window - 1)])}` }
}

/** True when a delivery of that age still stands for the same body. */
export function isWithinHashWindow(addedAt: number, now: number): boolean {
  return now - addedAt < hashWindowMs
}

/** Each update costs more than what it hashes, so the names are one, and without a body hashed at once; a body is never copied. */
function digest(names: readonly string[], body?: Buffer): string {
  const named = `${names.join('\0')}\0`
  const hex = body === undefined ? hash('sha256', named) : createHash('sha256').update(named).update(body).update('\0').digest('hex')
  return hex.slice(0, 32)
}
