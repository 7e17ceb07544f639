// Posts a notice to the operator's own web hook: one request, no redirect, nothing of the answer believed but its status.
import { hookSignature } from '../api/hook-signature.ts'
import { errorCode } from './secrets.ts'

/** The receiver did not take a notice; the message never names its address, which may hold a secret. */
export class NoticeNotTaken extends Error {
  override readonly name = 'NoticeNotTaken'
}

export interface NoticeReceiver {
  url: string
  /** `whsec_…`, each of which signs: none, or two while one is changed. */
  signing: readonly string[]
  /** Node's own when absent. */
  fetch?: typeof fetch | undefined
  /** Ten seconds when absent. */
  timeoutMs?: number
}

/** Sends this body (JSON) under this id, which stays the same when it is sent again. Throws NoticeNotTaken. */
export type PostNotice = (id: string, body: string) => Promise<void>

/** Posts to one receiver. */
export function createPostNotice({ url, signing, timeoutMs = 10_000, ...given }: NoticeReceiver): PostNotice {
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
    const response = await (given.fetch ?? fetch)(url, { method: 'POST', headers, body, redirect: 'manual', signal: deadline }).catch(
      (error: unknown) => {
        const why = deadline.aborted ? `gave no answer within ${timeoutMs} ms` : `cannot be reached (${reasonOf(error)})`
        throw new NoticeNotTaken(`the receiver of notices ${why}`)
      },
    )
    // Whatever else it says is of no interest, however long.
    await response.body?.cancel()
    if (response.ok) return
    const redirected = response.status >= 300 && response.status < 400 ? ', a redirect, which is not followed' : ''
    throw new NoticeNotTaken(`the receiver of notices answered ${response.status}${redirected}`)
  }
}

/** The system's code alone: messages quote addresses. */
function reasonOf(error: unknown): string {
  return errorCode(error instanceof Error ? error.cause : undefined) ?? 'no connection'
}
