// Sends hooks out: in order for each hook, once, after the answer that caused them (hosting-service.md §1.1, §1.4).
import { randomUUID } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Hook, HookFlags } from '../records.ts'
import { createSerialise } from '../serialise.ts'
import { version } from '../version.ts'

export interface HookEvent {
  projectId: number
  flag: keyof HookFlags
  /** The value of X-Gitlab-Event. */
  name: string
  payload: Record<string, unknown>
}
export interface Deliveries {
  /** Queues one event for one hook; it leaves once `after` is settled. */
  enqueue(hook: Hook, event: HookEvent, after: Promise<void>): void
  /** Resolves when no delivery is under way or queued. */
  idle(): Promise<void>
  /** Gives up what is queued and under way. */
  close(): void
}

/** How long a receiver may take (hosting-service.md §1.4). */
const answerWithin = 10_000

/** `instance` is the sandbox's own URL, known only once it listens. */
export function createDeliveries(instance: () => string): Deliveries {
  const serialise = createSerialise()
  const closing = new AbortController()
  let pending = 0
  let waiting: (() => void)[] = []

  function settle(): void {
    pending -= 1
    if (pending > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    enqueue(hook, event, after) {
      pending += 1
      const idempotencyKey = randomUUID()
      const body = JSON.stringify(event.payload)
      const deliver = async (): Promise<void> => {
        await after
        if (closing.signal.aborted) return
        await post(hook, event.name, body, { instance: instance(), idempotencyKey, signal: closing.signal })
      }
      // Neither a refusal nor a receiver that is away changes anything: nothing is sent again.
      void serialise(String(hook.id), deliver)
        .catch(() => undefined)
        .finally(settle)
    },
    idle: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () => closing.abort(),
  }
}

interface Delivery {
  instance: string
  idempotencyKey: string
  signal: AbortSignal
}

function post(hook: Hook, name: string, body: string, delivery: Delivery): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = new URL(hook.url)
    const secure = url.protocol === 'https:'
    const bytes = Buffer.from(body)
    const request = (secure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      ...(secure && { rejectUnauthorized: hook.enable_ssl_verification }),
      signal: AbortSignal.any([delivery.signal, AbortSignal.timeout(answerWithin)]),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': bytes.length,
        'User-Agent': `GitLab/${version}`,
        'X-Gitlab-Event': name,
        ...(hook.token !== null && { 'X-Gitlab-Token': hook.token.replace(/[\r\n]/g, '') }),
        'X-Gitlab-Event-UUID': randomUUID(),
        'X-Gitlab-Instance': delivery.instance,
        'X-Gitlab-Webhook-UUID': randomUUID(),
        'Idempotency-Key': delivery.idempotencyKey,
      },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      response.once('error', reject)
      response.once('close', () => resolve())
      response.resume()
    })
    request.end(bytes)
  })
}
