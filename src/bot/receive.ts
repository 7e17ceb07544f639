// Receive: an authentic delivery is durable in the queue before it is answered 202; nothing is parsed for meaning here (DESIGN §2.1).
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { type BodyRoom, createBodyRoom } from '../queue/body-room.ts'
import { asError, JobNotRetryable } from '../queue/errors.ts'
import type { Lane } from '../queue/types.ts'
import type { MergeRequestRef } from '../rules/types.ts'
import type { Counting } from './counting.ts'
import { deliveryId, isWithinHashWindow } from './delivery-id.ts'
import { ofKnownFields } from './known-fields.ts'
import { projectSecrets } from './project-secrets.ts'
import { bodyLimit, type ReadBody, readBody } from './read-body.ts'
import type { Said } from './read-delivery.ts'
import { type HookSecrets, isAuthentic, isSigned, mayBeAuthentic } from './secrets.ts'
import type { StoreRoom } from './store-room.ts'
import { isPacked, type Unpacked, unpackBody } from './unpack-body.ts'
import { createUnprovenRoom, type PutOut, type UnprovenRoom } from './unproven-room.ts'

/** One job of the deliveries lane: a delivery as it came, or a wish to judge its merge requests again. */
export type DeliveryJob =
  | {
      is: 'delivery'
      service: string
      receivedAt: string
      header: string
      body: string
      /** Why there is no body to read. */
      unreadable?: string
      /** What was read from the body, which is not kept any more. */
      read?: { said: Said; bytes: number }
      /** The project that its secret is of: it may speak of no other. */
      boundTo?: number
    }
  | { is: 'again'; delivery: string; why: 'doubled' | 'replay'; replay?: { number: number; at: string } }
  | { is: 'again'; delivery: string; why: 'copied'; mergeRequest: MergeRequestRef; after: string }

export interface ReceiveOptions {
  service: string
  deliveries: Lane<DeliveryJob>
  /** What `POST /hooks` takes. */
  secrets: HookSecrets
  /** What the secrets of `POST /hooks/<project id>` are derived from, newest first. */
  masterKeys: readonly string[]
  /** Whether there is room for more in the queue's store. */
  room: Pick<StoreRoom, 'condition' | 'kept' | 'turnedDown'>
  counting?: Pick<Counting, 'answered'> | undefined
  /** From which address a request comes, for the log; its peer's when absent. */
  addressOf?: ((request: IncomingMessage) => string | undefined) | undefined
  now: () => number
  log: Logger
}

// A body of n bytes takes about six times that, as bytes, text and job.
const bodiesAtOnce = 64 * 1024 * 1024
// Whoever has a secret never waits for those who may have none.
const unprovenBytes = 32 * 1024 * 1024
// Senders wait ten seconds (hosting-service.md §1.4).
const unprovenWithinMs = 10_000
const roomWithinMs = 5_000
const retryAfterS = 10
const noRoom = 'Too many bodies are in memory at once.'

/** Takes a hook's request, or leaves it to `next`; stands before an Express application or within one. */
export type HookRoutes = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

// An address in whole is a proxy's; as elsewhere in Express, neither case nor a slash at the end matters.
const hookAddress = /^(?:https?:\/\/[^/?#]+)?\/hooks(?:\/([1-9]\d{0,14}))?\/?(?:\?|$)/i

/**
 * The routes `POST /hooks` and `POST /hooks/<project id>`, the latter with secrets of its own. 202 with `{ id }` when the delivery is
 * durable, readable or not; 401 with one and the same body for a missing and a wrong secret; 413 for a signed body over 25 MB, whose
 * signature cannot be checked; 408 for a signed one that is not there in ten seconds; 503 with Retry-After when the queue cannot take it.
 */
export function receive(options: ReceiveOptions): HookRoutes {
  const rooms = {
    bodies: createBodyRoom(bodiesAtOnce),
    unproven: createUnprovenRoom({ limit: unprovenBytes, withinMs: unprovenWithinMs }),
  }
  const taking: Taking = { ...options, accepted: ofKnownFields(options.log) }
  // Express would cost more here than everything else that receive does (docs/performance.md): the answers are Node's own.
  return (request, response, next) => {
    const address = request.method === 'POST' ? hookAddress.exec(request.url ?? '') : null
    if (address === null) return next()
    response.once('finish', () => options.counting?.answered(response.statusCode))
    const boundTo = address[1] === undefined ? undefined : Number(address[1])
    take(taking, rooms, boundTo, request, response).catch((error: unknown) => {
      options.log.error({ event: 'request failed', err: error }, 'a request failed')
      if (!response.headersSent) answer(response, 500, { error: 'Something went wrong; the log has the details.' })
    })
  }
}

/**
 * Puts a delivery back in line: one whose reading failed is read again, any other has its merge requests judged on the state as it is now.
 */
export async function putBack(
  deliveries: Lane<DeliveryJob>,
  delivery: string,
  again: { why: 'doubled' } | { why: 'replay'; replay: { number: number; at: string } },
): Promise<void> {
  try {
    if ((await deliveries.get(delivery))?.state === 'failed') return await deliveries.retry(delivery)
  } catch (error) {
    // Someone else has put it back in between.
    if (!(error instanceof JobNotRetryable)) throw error
  }
  await deliveries.add({ data: { is: 'again', delivery, ...again } })
}

interface Taking extends ReceiveOptions {
  /** For the line of a delivery that was taken. */
  accepted: Logger
}

interface Rooms {
  bodies: BodyRoom
  unproven: UnprovenRoom
}

async function take(
  options: Taking,
  rooms: Rooms,
  boundTo: number | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers } = request
  const { now } = options
  const secrets = boundTo === undefined ? options.secrets : projectSecrets(options.masterKeys, boundTo)
  // Mostly the headers alone show who may come in: a stranger's body is never read.
  const signed = isSigned(headers, secrets)
  const mayComeIn = signed ? mayBeAuthentic({ headers, now: now() }) : isAuthentic({ headers, body: Buffer.alloc(0), now: now() }, secrets)
  if (!mayComeIn) return refuse(options, request, response)

  const { is, reason } = options.room.condition()
  if (is === 'full') return turnDown(options, response, reason ?? 'The queue is full.')
  if (signed) return takeSigned(options, rooms, { boundTo, secrets }, request, response)
  const leave = await rooms.bodies.enter(roomFor(request), roomWithinMs)
  if (leave === undefined) return turnDown(options, response, noRoom)
  try {
    const body = await readBody(request)
    if (body.is === 'whole' || body.is === 'too large') await putInLine(options, boundTo, request, response, body)
  } finally {
    leave()
  }
}

/** Only the whole body proves whose it is: until then it takes nothing of the room of those who are known. */
async function takeSigned(
  options: Taking,
  { bodies, unproven }: Rooms,
  { boundTo, secrets }: { boundTo: number | undefined; secrets: HookSecrets },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const stop = new AbortController()
  const place = unproven.enter((why) => stop.abort(why))
  try {
    const body = await readBody(request, { kept: place.grow, stop: stop.signal })
    if (body.is === 'broken off') return
    if (body.is === 'stopped') return cutOff(options, request, response, stop.signal.reason)
    if (body.is === 'too large') return answer(response, 413, { error: 'The body is larger than 25 MB.' }, lastAnswer)
    if (!isAuthentic({ headers: request.headers, body: body.bytes, now: options.now() }, secrets)) return refuse(options, request, response)
    place.prove()
    const leave = await bodies.enter(isPacked(request.headers['content-encoding']) ? bodyLimit : body.bytes.length, roomWithinMs)
    place.leave()
    if (leave === undefined) return turnDown(options, response, noRoom)
    await putInLine(options, boundTo, request, response, body).finally(leave)
  } finally {
    place.leave()
  }
}

/** What the body may take of memory, told beforehand: its length where the sender says so. */
function roomFor({ headers }: IncomingMessage): number {
  const length = Number(headers['content-length'])
  return isPacked(headers['content-encoding']) || !Number.isFinite(length) ? bodyLimit : Math.min(length, bodyLimit)
}

async function putInLine(
  options: Taking,
  boundTo: number | undefined,
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: Extract<ReadBody, { is: 'whole' | 'too large' }>,
): Promise<void> {
  const { service, deliveries, now, log } = options
  const bytes = body.is === 'whole' ? body.bytes : Buffer.from(randomUUID())
  const unpacked: Unpacked =
    body.is === 'whole'
      ? await unpackBody(bytes, headers['content-encoding'])
      : { ok: false, reason: 'The body is larger than 25 MB: it was not kept.' }
  const header = String(headers['x-gitlab-event'] ?? '').slice(0, 100)
  const { id, before } = deliveryId(headers, bytes, now(), { service, boundTo })
  try {
    const same = before === undefined ? undefined : await deliveries.get(before)
    const first = same !== undefined && isWithinHashWindow(same.addedAt, now()) ? same.id : id
    const data: DeliveryJob = {
      is: 'delivery',
      service,
      receivedAt: new Date(now()).toISOString(),
      header,
      body: '',
      ...(unpacked.ok ? {} : { unreadable: unpacked.reason }),
      ...(boundTo === undefined ? {} : { boundTo }),
    }
    const added = first === id && (await deliveries.add({ id, data, ...(unpacked.ok ? { body: unpacked.bytes } : {}) })).added
    // A doubled delivery may stand for a change that came after the first was judged: its merge request is looked at again.
    if (!added) await putBack(deliveries, first, { why: 'doubled' })
    options.accepted.info(
      { event: added ? 'delivery accepted' : 'delivery doubled', delivery: first, kind: header, bytes: bytes.length },
      'delivery accepted',
    )
    options.room.kept(unpacked.ok ? unpacked.bytes.length : 0)
    answer(response, 202, { id: first }, body.is === 'too large' ? lastAnswer : {})
  } catch (error) {
    log.error({ event: 'delivery not taken', err: error }, 'the queue cannot take deliveries')
    options.room.turnedDown(asError(error))
    unavailable(response, body.is === 'too large' ? lastAnswer : {})
  }
}

function refuse({ log, addressOf }: ReceiveOptions, request: IncomingMessage, response: ServerResponse): void {
  log.warn({ event: 'delivery refused', from: (addressOf ?? peerOf)(request) }, 'delivery refused: missing or wrong secret')
  answer(response, 401, { error: 'The hook’s secret token or signature is missing or wrong.' }, lastAnswer)
}

const peerOf = ({ socket }: IncomingMessage) => socket.remoteAddress

/** A stranger as well as not: it asks for no sweep, or strangers could have one run after the other. */
function cutOff({ log, addressOf }: ReceiveOptions, request: IncomingMessage, response: ServerResponse, why: PutOut): void {
  log.warn({ event: 'delivery cut off', why, from: (addressOf ?? peerOf)(request) }, 'a signed delivery was not there in time')
  if (why === 'crowded') unavailable(response, lastAnswer)
  else answer(response, 408, { error: 'The body was not there in time.' }, lastAnswer)
}

/** Its body stays unread, and the connection goes with it. */
function turnDown({ room, log }: ReceiveOptions, response: ServerResponse, reason: string): void {
  log.error({ event: 'delivery not taken', reason }, 'a delivery was turned down')
  room.turnedDown()
  unavailable(response, lastAnswer)
}

function unavailable(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  answer(response, 503, { error: 'Deliveries cannot be taken at the moment.' }, { ...headers, 'Retry-After': String(retryAfterS) })
}

/** Where the body was not read to its end, the connection is of no more use. */
const lastAnswer = { Connection: 'close' }

function answer(
  response: ServerResponse,
  status: number,
  said: { id: string } | { error: string },
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(said)
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}
