// Sends hooks once, in order for each hook, after the response that caused them, and logs what became of them.
import { randomUUID } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { hookSignature } from '../../api/hooks.ts'
import type { FaultSource } from '../http/faults.ts'
import { version } from '../installation.ts'
import type { HookEventFlags, HookReceiver } from '../records/records.ts'
import { createBackground, createKeyedMutex } from '../storage/schedule.ts'

export interface HookEvent {
  flag: keyof HookEventFlags
  /** X-Gitlab-Event. */
  name: string
  payload: Record<string, unknown>
}
export type Deliveries = ReturnType<typeof createDeliveries>

/** Larger payloads are not sent. */
const largestBody = 25 * 1024 * 1024

export interface DeliveryEntry {
  began: number
  ended?: number
  at: number
  id: string
  hook: number
  payload: Record<string, unknown>
  /** The receiver's status; `failed` without one, `dropped` by a fault or a disabled hook, undefined while pending. */
  result?: number | 'failed' | 'dropped'
}

type End = (result: NonNullable<DeliveryEntry['result']>) => void
interface DeliveriesOptions {
  /** Milliseconds until a receiver times out. */
  answerWithin?: number
  faults?: FaultSource
  /** Returns what records its end. */
  record?: { delivery(entry: Pick<DeliveryEntry, 'id' | 'hook' | 'payload'>): End }
  log?: HookLog
}

/** `instance`: the sandbox's URL, known once it listens. */
export function createDeliveries(
  instance: () => string,
  { answerWithin = 10_000, faults, record, log = createHookLog({ disables: false }) }: DeliveriesOptions = {},
) {
  const serialise = createKeyedMutex()
  const closing = new AbortController()
  const background = createBackground(() => undefined)
  /** Failures are not retried. */
  const begin = (task: Promise<void>) => background.start(Promise.resolve(), () => task.catch(() => undefined))

  return {
    /** Queues one event; it is sent once `after` is settled. */
    enqueue(hook: HookReceiver, event: HookEvent, after: Promise<void>): void {
      const body = Buffer.from(JSON.stringify(event.payload))
      if (body.length > largestBody) return
      const id = randomUUID()
      const enter = () => record?.delivery({ id, hook: hook.id, payload: event.payload })
      const deliver = async (end: End | undefined) => {
        await after
        if (closing.signal.aborted) return
        if (log.health(hook.id).alert_status !== 'executable') return end?.('dropped')
        const began = performance.now()
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(answerWithin)])
        const sent = post(hook, headersOf(hook, event, { id, body, instance: instance() }), body, signal)
        const result = await sent.catch(() => 'failed' as const)
        const seconds = (performance.now() - began) / 1000
        if (!closing.signal.aborted)
          log.add(hook.id, { flag: event.flag, url: hook.url, payload: event.payload, result, seconds })
        end?.(result)
      }
      const send = (end: End | undefined, queue = String(hook.id)) => begin(serialise(queue, () => deliver(end)))

      const fault = faults?.ofHook(String(event.payload.object_kind))
      const end = enter()
      if (fault === 'drop') end?.('dropped')
      else if (fault === 'hold') faults?.hold(() => send(end, `late ${hook.id}`))
      else send(end)
      if (fault === 'double') send(enter())
    },
    idle: background.idle,
    close: () => closing.abort(),
    log,
  }
}

/** The headers of a delivery. */
function headersOf(
  hook: HookReceiver,
  event: HookEvent,
  { id, body, instance }: { id: string; body: Buffer; instance: string },
) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'User-Agent': `GitLab/${version}`,
    'X-Gitlab-Event': event.name,
    ...(hook.token !== null && { 'X-Gitlab-Token': headerText(hook.token) }),
    'X-Gitlab-Event-UUID': randomUUID(),
    'X-Gitlab-Instance': instance,
    'X-Gitlab-Webhook-UUID': randomUUID(),
    'Idempotency-Key': id,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(hook.signing_token !== null && {
      'webhook-signature': hookSignature(hook.signing_token, { id, timestamp, body }),
    }),
  }
}

/** UTF-8 without characters that a header refuses. */
function headerText(text: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return Buffer.from(text.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ''), 'utf8').toString('latin1')
}

/** Resolves with the response's status; follows no redirect. Credentials in the URL become Basic authentication. */
function post(hook: HookReceiver, headers: Record<string, string | number>, body: Buffer, signal: AbortSignal) {
  return new Promise<number>((resolve, reject) => {
    const url = new URL(hook.url)
    const secure = url.protocol === 'https:'
    const request = (secure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      ...(secure && { rejectUnauthorized: hook.enable_ssl_verification }),
      signal,
      headers,
    })
    request.once('error', reject)
    request.once('response', (response) => {
      response.once('error', reject)
      response.once('close', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    request.end(body)
  })
}

interface LoggedDelivery {
  url: string
  payload: Record<string, unknown>
  /** The receiver's status; `failed` without one. */
  result: number | 'failed'
  seconds: number
}

const keptOfEach = 100
// The 4th failure in a row disables for a minute, doubled each time, the 40th for good.
const failuresThatDisable = 4
const failuresForGood = 40
const firstPauseMs = 60_000
const longestPauseMs = 24 * 60 * 60_000

export type HookLog = ReturnType<typeof createHookLog>

/** `disables`: hooks that keep failing are disabled, as on shared installations. */
export function createHookLog({ disables, now = Date.now }: { disables: boolean; now?: () => number }) {
  /** `trigger` is GitLab's name: `merge_request_hooks`. */
  type Entry = LoggedDelivery & { id: number; trigger: string }
  const logs = new Map<number, { entries: Entry[]; failures: number; disabledUntil: number }>()
  let last = 0

  return {
    add(hook: number, { flag, ...entry }: LoggedDelivery & { flag: string }): void {
      const log = logs.get(hook) ?? { entries: [], failures: 0, disabledUntil: 0 }
      last += 1
      const trigger = flag.replace(/s?_events$/, '_hooks')
      log.entries = [{ id: last, trigger, ...entry }, ...log.entries].slice(0, keptOfEach)
      const isGood = entry.result !== 'failed' && entry.result >= 200 && entry.result < 400
      log.failures = isGood ? 0 : log.failures + 1
      const over = log.failures - failuresThatDisable
      log.disabledUntil = over < 0 ? 0 : now() + Math.min(firstPauseMs * 2 ** over, longestPauseMs)
      logs.set(hook, log)
    },
    of: (hook: number): readonly Entry[] => logs.get(hook)?.entries ?? [],
    health(hook: number) {
      const { failures, disabledUntil } = logs.get(hook) ?? { failures: 0, disabledUntil: 0 }
      if (disables && failures >= failuresForGood) return { alert_status: 'disabled', disabled_until: null }
      if (!disables || disabledUntil <= now()) return { alert_status: 'executable', disabled_until: null }
      return { alert_status: 'temporarily_disabled', disabled_until: new Date(disabledUntil).toISOString() }
    },
  }
}
