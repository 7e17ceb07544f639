// Receive: an authentic delivery is durable in the queue before it is answered 202; nothing is parsed for meaning here (DESIGN §2.1).
import { type Request, type RequestHandler, type Response, Router, raw } from 'express'
import type { Logger } from 'pino'
import { JobNotRetryable } from '../queue/errors.ts'
import type { Lane } from '../queue/types.ts'
import { deliveryId, isWithinHashWindow } from './delivery-id.ts'
import { type HookSecrets, isAuthentic } from './secrets.ts'

/** One job of the deliveries lane: a delivery as it came, or a wish to judge its merge requests again. */
export type DeliveryJob =
  | { is: 'delivery'; service: string; receivedAt: string; header: string; body: string }
  | { is: 'again'; delivery: string; why: 'doubled' | 'replay' }

export interface ReceiveOptions {
  service: string
  deliveries: Lane<DeliveryJob>
  secrets: HookSecrets
  now: () => number
  log: Logger
}

// The sender's own limit (hosting-service.md §1.4).
const bodyLimit = '25mb'

/**
 * The route `POST /hooks`. 202 with `{ id }` when the delivery is durable; 401 with one and the same body for a missing and a wrong
 * secret; 413 over 25 MB; 503 with Retry-After when the queue cannot take it.
 */
export function receive(options: ReceiveOptions): Router {
  const router = Router()
  // Any content type: what is not JSON is authenticated first, then recorded as unreadable.
  router.post('/hooks', refuseUnread(options), raw({ type: () => true, limit: bodyLimit }), async (request, response) => {
    await take(options, request, response)
  })
  return router
}

/** A request without a signature shows by its headers alone whether it may come in: a stranger's body is never read. */
function refuseUnread(options: ReceiveOptions): RequestHandler {
  return (request, response, next) => {
    const bySignature = request.headers['webhook-signature'] !== undefined && options.secrets.signing.length > 0
    if (bySignature || isAuthentic({ headers: request.headers, body: Buffer.alloc(0), now: options.now() }, options.secrets)) return next()
    refuse(options.log, request, response.set('Connection', 'close'))
  }
}

function refuse(log: Logger, request: Request, response: Response): void {
  log.warn({ event: 'delivery refused', from: request.socket.remoteAddress }, 'delivery refused: missing or wrong secret')
  response.status(401).json({ error: 'The hook’s secret token or signature is missing or wrong.' })
}

/**
 * Puts a delivery back in line: one whose reading failed is read again, any other has its merge requests judged on the state as it is now.
 */
export async function putBack(deliveries: Lane<DeliveryJob>, delivery: string, why: 'doubled' | 'replay'): Promise<void> {
  try {
    if ((await deliveries.get(delivery))?.state === 'failed') return await deliveries.retry(delivery)
  } catch (error) {
    // Someone else has put it back in between.
    if (!(error instanceof JobNotRetryable)) throw error
  }
  await deliveries.add({ data: { is: 'again', delivery, why } })
}

async function take({ service, deliveries, secrets, now, log }: ReceiveOptions, request: Request, response: Response): Promise<void> {
  const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (!isAuthentic({ headers: request.headers, body, now: now() }, secrets)) {
    refuse(log, request, response)
    return
  }
  const header = String(request.headers['x-gitlab-event'] ?? '').slice(0, 100)
  const { id, before } = deliveryId(request.headers, body, now())
  try {
    const same = before === undefined ? undefined : await deliveries.get(before)
    const first = same !== undefined && isWithinHashWindow(same.addedAt, now()) ? same.id : id
    const data: DeliveryJob = { is: 'delivery', service, receivedAt: new Date(now()).toISOString(), header, body: body.toString('utf8') }
    const added = first === id && (await deliveries.add({ id, data })).added
    // A doubled delivery may stand for a change that came after the first was judged: its merge request is looked at again.
    if (!added) await putBack(deliveries, first, 'doubled')
    log.info(
      { event: added ? 'delivery accepted' : 'delivery doubled', delivery: first, kind: header, bytes: body.length },
      'delivery accepted',
    )
    response.status(202).json({ id: first })
  } catch (error) {
    log.error({ event: 'delivery not taken', err: error }, 'the queue cannot take deliveries')
    response.status(503).set('Retry-After', '10').json({ error: 'The queue cannot take deliveries at the moment.' })
  }
}
