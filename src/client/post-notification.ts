// Posts a notification or chat message to an operator's URL: one request, no redirect; only the response status counts.
import { hookSignature } from '../api/hooks.ts'
import { errorCode } from './errors.ts'
import { readRetryAfter } from './response.ts'

/** The message never names the URL, which may hold a secret. */
export class NotificationError extends Error {
  override readonly name = 'NotificationError'
  /** When the receiver wants it again. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

interface NotificationReceiver {
  url: string
  /** For errors; `the notification receiver` when absent. */
  name?: string
  /** `whsec_…` keys, each of which signs; two during a rotation. */
  signing: readonly string[]
  fetch?: typeof fetch
  /** Default: ten seconds. */
  timeoutMs?: number
}

/** Sends a JSON body; a repeated notification has the same id. Throws NotificationError. */
export type PostNotification = (id: string, body: string) => Promise<void>

export function createPostNotification({
  url,
  name = 'the notification receiver',
  signing,
  timeoutMs = 10_000,
  ...given
}: NotificationReceiver): PostNotification {
  return async (id, body) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signatures = signing.map((token) => hookSignature(token, { id, timestamp, body }))
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'bellhop',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
    }
    const deadline = AbortSignal.timeout(timeoutMs)
    const response = await (given.fetch ?? fetch)(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: deadline,
    }).catch((error: unknown) => {
      // The code alone: messages quote URLs.
      const reason = errorCode(error instanceof Error ? error.cause : undefined) ?? 'no connection'
      const problem = deadline.aborted ? `gave no answer within ${timeoutMs} ms` : `cannot be reached (${reason})`
      throw new NotificationError(`${name} ${problem}`)
    })
    await response.body?.cancel()
    if (response.ok) return
    const redirected = response.status >= 300 && response.status < 400 ? ', a redirect, which is not followed' : ''
    const { status, headers: answered } = response
    throw new NotificationError(`${name} answered ${status}${redirected}`, readRetryAfter(status, answered, Date.now()))
  }
}
