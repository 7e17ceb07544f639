// The webhook receiver: authenticates a delivery, enqueues it, then responds 202.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Router } from 'express'
import type { Logger } from 'pino'
import { asError } from '../../queue/errors.ts'
import type { JobQueue } from '../../queue/types.ts'
import { describeSpan, inSpan, markFailed } from '../../tracing/span.ts'
import type { FlowCounters } from '../context.ts'
import { type DeliveryJob, deliveryId, requeueDelivery } from '../intake/delivery-job.ts'
import { type HookSecrets, isAuthentic, isSigned, mayBeAuthentic, projectSecrets } from './hook-secrets.ts'
import type { QueueCapacity } from './queue-capacity.ts'
import {
  type BodyMemory,
  type BodyShare,
  bodyLimit,
  createBodyMemory,
  isPacked,
  type ReadBody,
  readBody,
  type UnpackResult,
  unpackBody,
} from './read-body.ts'

export interface ReceiveOptions {
  deliveries: JobQueue<DeliveryJob>
  /** The secrets of `POST /hooks`. */
  secrets: HookSecrets
  /** The secrets of `POST /hooks/<project id>` are derived from these, newest first. */
  masterKeys: readonly string[]
  capacity: Pick<QueueCapacity, 'condition' | 'accepted' | 'refused'>
  counting?: Pick<FlowCounters, 'answered'> | undefined
  /** The sender's address for the log; the connection's when absent. */
  addressOf?: ((request: IncomingMessage) => string | undefined) | undefined
  now: () => number
  log: Logger
}

interface Receiver extends ReceiveOptions {
  memory: BodyMemory
}

interface Delivery {
  request: IncomingMessage
  response: ServerResponse
  secrets: HookSecrets
  /** The project that the secrets belong to. */
  secretProject?: number
}

const retryAfterSeconds = 10
const noMemory = 'Too many bodies are in memory.'
/** The rest of the body stays unread. */
const closing = { Connection: 'close' }

/**
 * The routes `POST /` and `POST /:project`, to be mounted at /hooks. Responses: 202 with `{ id }` when the delivery is
 * durable, readable or not; 401 for a missing or wrong secret; 413 for a signed body over 25 MB, whose signature cannot
 * be verified; 503 with Retry-After when the queue cannot accept it.
 */
export function receive(options: ReceiveOptions): Router {
  const receiver = { ...options, memory: createBodyMemory() }
  return Router()
    .post('/', (request, response) => traced(receiver, { request, response, secrets: options.secrets }))
    .post('/:project', (request, response, next) => {
      if (!/^[1-9]\d{0,14}$/.test(request.params.project)) return next()
      const secretProject = Number(request.params.project)
      return traced(receiver, {
        request,
        response,
        secrets: projectSecrets(options.masterKeys, secretProject),
        secretProject,
      })
    })
}

/** A `traceparent` of the sender is ignored: it may be unauthenticated, and would decide what is sampled. */
function traced(receiver: Receiver, delivery: Delivery): Promise<void> {
  const route = delivery.secretProject === undefined ? '/hooks' : '/hooks/:project'
  const attributes = { 'http.request.method': 'POST', 'http.route': route }
  return inSpan(`POST ${route}`, { kind: 'server', attributes }, async (span) => {
    await handle(receiver, delivery)
    const { headersSent, statusCode } = delivery.response
    if (!headersSent) return
    span.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) markFailed(span, String(statusCode))
  })
}

async function handle(receiver: Receiver, delivery: Delivery): Promise<void> {
  const { request, response, secrets } = delivery
  response.once('finish', () => receiver.counting?.answered(response.statusCode))
  // Decided by the headers if possible: the body of an unauthenticated sender is not read.
  const signed = isSigned(request.headers, secrets)
  const unread = { headers: request.headers, body: Buffer.alloc(0), now: receiver.now() }
  if (!(signed ? mayBeAuthentic(unread) : isAuthentic(unread, secrets))) return refuseSender(receiver, delivery)
  const { is, reason } = receiver.capacity.condition()
  if (is === 'full') return refuseDelivery(receiver, response, reason ?? 'The queue is full.')
  const stop = new AbortController()
  const share = receiver.memory(() => stop.abort())
  try {
    const body = await readBody(request, { onChunk: share.take, signal: stop.signal })
    share.arrived()
    await receiveBody(receiver, delivery, { body, signed, share })
  } finally {
    share.free()
  }
}

async function receiveBody(
  receiver: Receiver,
  delivery: Delivery,
  { body, signed, share }: { body: ReadBody; signed: boolean; share: BodyShare },
): Promise<void> {
  const { request, response, secrets } = delivery
  if (body.is === 'aborted') return
  if (body.is === 'stopped') return signed ? cutOff(receiver, delivery) : refuseDelivery(receiver, response, noMemory)
  if (signed) {
    if (body.is === 'too_large') return respond(response, 413, { error: 'The body is larger than 25 MB.' }, closing)
    const read = { headers: request.headers, body: body.bytes, now: receiver.now() }
    if (!isAuthentic(read, secrets)) return refuseSender(receiver, delivery)
  }
  // A packed body may unpack to the limit.
  const fits = !isPacked(request.headers['content-encoding']) || share.take(bodyLimit)
  return fits ? enqueue(receiver, delivery, body) : refuseDelivery(receiver, response, noMemory)
}

/** An authenticated body that cannot be read is enqueued as such: services disable hooks that return errors. */
async function enqueue(
  receiver: Receiver,
  delivery: Delivery,
  body: Extract<ReadBody, { is: 'complete' | 'too_large' }>,
): Promise<void> {
  const { deliveries, capacity, now } = receiver
  const { headers } = delivery.request
  const responseHeaders = body.is === 'too_large' ? closing : {}
  const sent = body.is === 'complete' ? body.bytes : Buffer.from(randomUUID())
  const unpacked: UnpackResult =
    body.is === 'complete'
      ? await unpackBody(sent, headers['content-encoding'])
      : { ok: false, reason: 'The body is larger than 25 MB: it was not stored.' }
  const data = {
    is: 'delivery' as const,
    receivedAt: new Date(now()).toISOString(),
    header: String(headers['x-gitlab-event'] ?? '').slice(0, 100),
    ...(unpacked.ok ? { body: unpacked.bytes.toString() } : { body: '', unreadable: unpacked.reason }),
    secretProject: delivery.secretProject,
  }
  const id = deliveryId(headers, sent, now(), delivery.secretProject)
  try {
    const { added } = await deliveries.add({ id, data, onReplica: true })
    // A duplicate may report a change that came after the evaluation of the first: evaluate again.
    if (!added) await requeueDelivery(deliveries, id, { why: 'duplicate' })
    const line = { delivery: id, kind: data.header, bytes: sent.length }
    if (added) receiver.log.info({ event: 'delivery_accepted', ...line }, 'delivery accepted')
    else receiver.log.info({ event: 'delivery_duplicate', ...line }, 'duplicate delivery accepted')
    describeSpan({ 'bellhop.delivery': id })
    capacity.accepted(unpacked.ok ? unpacked.bytes.length : 0)
    respond(delivery.response, 202, { id }, responseHeaders)
  } catch (error) {
    receiver.log.error({ event: 'delivery_not_enqueued', err: error }, 'the queue cannot accept deliveries')
    capacity.refused(asError(error))
    respondUnavailable(delivery.response, responseHeaders)
  }
}

function refuseSender({ log, addressOf }: Receiver, { request, response }: Delivery): void {
  const from = (addressOf ?? peerOf)(request)
  log.warn({ event: 'delivery_unauthorized', from }, 'delivery refused: missing or wrong secret')
  respond(response, 401, { error: 'The hook’s secret token or signature is missing or wrong.' }, closing)
}

const peerOf = ({ socket }: IncomingMessage) => socket.remoteAddress

/** Requests no sweep: the sender may be unauthenticated. */
function cutOff({ log, addressOf }: Receiver, { request, response }: Delivery): void {
  const from = (addressOf ?? peerOf)(request)
  log.warn({ event: 'delivery_cut_off', from }, 'a signed body was given up for lack of memory')
  respondUnavailable(response, closing)
}

function refuseDelivery({ capacity, log }: Receiver, response: ServerResponse, reason: string): void {
  log.error({ event: 'delivery_refused', reason }, 'delivery refused for lack of capacity')
  capacity.refused()
  respondUnavailable(response, closing)
}

function respondUnavailable(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  const error = 'Deliveries cannot be accepted at the moment.'
  respond(response, 503, { error }, { ...headers, 'Retry-After': retryAfterSeconds })
}

/** Without `response.json`, which takes as long as all other steps of the receiver. */
function respond(
  response: ServerResponse,
  status: number,
  body: { id: string } | { error: string },
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(body)
  const contentHeaders = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  response.writeHead(status, { ...headers, ...contentHeaders }).end(text)
}
