// The jobs of the delivery queue, and the ids of deliveries: two are the same if the sender's ids are equal, else if
// their bodies are equal and came in the same ten minutes of the clock. Later ones still bring no second event
// (add_event in journal/schema.sql).

import { createHash } from 'node:crypto'
import { JobNotRetryable } from '../../queue/errors.ts'
import type { JobQueue } from '../../queue/types.ts'
import { type DeliverySummary, readDelivery } from './read-delivery.ts'

/** A delivery as received, or a request to evaluate its merge requests again. */
export type DeliveryJob =
  | {
      is: 'delivery'
      receivedAt: string
      header: string
      body: string
      /** Why there is no body. */
      unreadable?: string
      /** In place of the body, which is no longer stored. */
      read?: { summary: DeliverySummary; bytes: number }
      /** The project of its secret: it may be about no other. */
      secretProject?: number
    }
  | { is: 'again'; delivery: string; why: 'duplicate' | 'replay'; replay?: { number: number; at: string } }

/**
 * Retries a delivery whose job failed; otherwise enqueues the evaluation of its merge requests on the present state.
 */
export async function requeueDelivery(
  deliveries: JobQueue<DeliveryJob>,
  delivery: string,
  again: { why: 'duplicate' } | { why: 'replay'; replay: { number: number; at: string } },
): Promise<void> {
  try {
    if ((await deliveries.get(delivery))?.state === 'failed') return await deliveries.retry(delivery)
  } catch (error) {
    // Another process has retried it.
    if (!(error instanceof JobNotRetryable)) throw error
  }
  await deliveries.add({ data: { is: 'again', delivery, ...again }, onReplica: true })
}

/** The job with the summary of its body instead; undefined if it has no body. */
export function withoutBody(job: DeliveryJob): Extract<DeliveryJob, { is: 'delivery' }> | undefined {
  if (job.is !== 'delivery' || job.unreadable !== undefined || job.read !== undefined) return undefined
  const read = readDelivery(job.body, job.receivedAt)
  if (!read.ok) return { ...job, body: '', unreadable: read.reason }
  return { ...job, body: '', read: { summary: read.summary, bytes: Buffer.byteLength(job.body) } }
}

// The project is near the start of every payload.
const prefixLength = 16_384
// Quotes within JSON texts are escaped: no name or title can look like a key.
const projectKey = /"project(?:_id"\s*:|"\s*:\s*\{\s*"id"\s*:)\s*(\d{1,15})\b/

/** The project that a raw delivery claims to be of. Not verified: only used for its place in the queue. */
export function projectOfDelivery(job: DeliveryJob): string | undefined {
  if (job.is === 'again') return undefined
  const found = projectKey.exec(job.body.slice(0, prefixLength))
  // The number may continue after the cut.
  return found === null || found.index + found[0].length === prefixLength ? undefined : found[1]
}

const hashWindowMs = 10 * 60_000

/**
 * Never by X-Gitlab-Event-UUID (shared by a chain of events) or X-Gitlab-Webhook-UUID (new for each attempt). Ids are
 * hashed: they come from outside, and a job id must not be an integer or have a ':'.
 */
export function deliveryId(
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
  now: number,
  secretProject?: number,
): string {
  // A sender of one project must not take the id of another's delivery.
  const sender = secretProject === undefined ? [] : [`project ${secretProject}`]
  const sent = headers['webhook-id'] || headers['idempotency-key']
  if (typeof sent === 'string' && sent !== '') return digest([...sender, 'id', sent])
  const window = String(Math.floor(now / hashWindowMs))
  return digest([...sender, 'body', window, String(headers['x-gitlab-event'] ?? '')], body)
}

function digest(names: readonly string[], body: Buffer = Buffer.of()): string {
  const hex = createHash('sha256')
    .update(`${names.join('\0')}\0`)
    .update(body)
    .digest('hex')
  return `d-${hex.slice(0, 32)}`
}
