// The flip breaker: a call that something undoes again and again is not made for ever (DESIGN §4 Conflicts, §6 no loop).
import { fingerprint } from './fingerprint.ts'
import { isOf } from './one-update.ts'
import { actionNamed } from './plan.ts'
import type { Call, Decision, Json, Memory } from './types.ts'
import { isWithdrawal } from './withdrawal.ts'

const MINUTE_MS = 60_000
/** How often the same call may be made within which time. The longer something fights, the rarer it is tried again. */
interface Limit {
  withinMs: number
  times: number
  said: string
}
const limits: readonly Limit[] = [
  { withinMs: 10 * MINUTE_MS, times: 5, said: 'ten minutes' },
  { withinMs: 60 * MINUTE_MS, times: 10, said: 'an hour' },
  { withinMs: 24 * 60 * MINUTE_MS, times: 20, said: 'a day' },
]
/** What is asked for by one event after another undoes nothing: only what goes on for ever is a loop, such as two bots that answer each other. */
const limitsOfEvents: readonly Limit[] = limits.map((limit) => ({ ...limit, times: limit.times * 4 }))
const FEWEST = Math.min(...limits.map(({ times }) => times))
const KEPT_MS = Math.max(...limits.map(({ withinMs }) => withinMs))
const KEPT = Math.max(...limitsOfEvents.map(({ times }) => times))
/** Texts may differ each time, and the call still be the same. */
const texts = new Set(['body', 'title', 'description'])

/** Why something is not done, and until when. */
export interface Flipping {
  reason: string
  /** Epoch milliseconds. */
  until: number
}

/** The id of the event that a rule's key was judged for; undefined of a rule that is for none. */
export type EventOf = (key: string) => string | undefined

type Sent = NonNullable<Memory['sent']>

function signatureOf({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>, cause: Json): string {
  const plain = Object.entries(params).filter(([key]) => !texts.has(key))
  return fingerprint([endpoint, Object.fromEntries(plain) as Json, ...(cause === null ? [] : [cause])])
}

/** The events that alone ask for a call; undefined where a rule of state asks for it, or nobody any more. */
function eventsOf({ rules }: Call, eventOf: EventOf): string[] | undefined {
  const ids = rules.flatMap((key) => eventOf(key) ?? [])
  return ids.length === 0 || ids.length < rules.length ? undefined : [...new Set(ids)].sort()
}

/** A rule that changes the text of its own note again and again disputes with nobody. */
const changesOwnNote = ({ endpoint }: Call) => endpoint === 'mergeRequests.notes.update'

/** By what the call is counted as the same, made again for the same cause: an event asks once, unless its request stands. */
function asFlip(call: Call, eventOf: EventOf): string | undefined {
  if (changesOwnNote(call) || isWithdrawal(call)) return undefined
  const events = eventsOf(call, eventOf)
  if (events === undefined) return signatureOf(call, null)
  const stands = [call.action, ...(call.with ?? [])].some((name) => actionNamed(name)?.standing !== undefined)
  return stands ? signatureOf(call, events) : undefined
}

/** By what the call is counted as the same, made for whatever event or text. */
function asAnswer(call: Call, eventOf: EventOf): string | undefined {
  if (changesOwnNote(call)) return signatureOf(call, 'note')
  if (isWithdrawal(call)) return undefined
  return eventsOf(call, eventOf) === undefined ? undefined : signatureOf(call, 'events')
}

/** The limit that stands in the way longest. */
function broken(times: readonly string[] = [], own: readonly Limit[], now: number): (Limit & { until: number }) | undefined {
  if (times.length < FEWEST) return undefined
  const all = own.flatMap((limit) => {
    const until = Date.parse(times.at(-limit.times) ?? '') + limit.withinMs
    return until > now ? [{ ...limit, until }] : []
  })
  return all.sort((one, other) => other.until - one.until)[0]
}

const often = ({ action }: Call, { times, said }: Limit) => `${action} was done ${times} times within ${said}`

/** The first call that something undoes each time: nothing is done any more until that rests. */
export function flipping({ sent }: Memory, calls: readonly Call[], now: number, eventOf: EventOf): Flipping | undefined {
  if (sent === undefined) return undefined
  for (const call of calls) {
    const signature = asFlip(call, eventOf)
    const limit = signature === undefined ? undefined : broken(sent[signature], limits, now)
    if (limit === undefined) continue
    return { reason: `${often(call, limit)}, and something undoes it each time: no rule acts until that rests`, until: limit.until }
  }
  return undefined
}

/** Calls that event after event asks for, more often than people do, and notes whose text changes as often: they wait, with all that the same rule does for the same action. */
export function crowded({ sent }: Memory, calls: readonly Call[], now: number, eventOf: EventOf): Map<Call, Flipping> {
  const waiting = new Map<Call, Flipping>()
  if (sent === undefined) return waiting
  for (const call of calls) {
    const signature = asAnswer(call, eventOf)
    const limit = signature === undefined ? undefined : broken(sent[signature], limitsOfEvents, now)
    if (limit === undefined) continue
    const cause = changesOwnNote(call) ? 'its text changes again and again' : 'events ask for it again and again'
    const told = { reason: `${often(call, limit)}, and ${cause}: it waits until that rests`, until: limit.until }
    for (const each of calls.filter((other) => goesWith(other, call))) if (!waiting.has(each)) waiting.set(each, told)
  }
  return waiting
}

function goesWith(call: Call, other: Call): boolean {
  return call.rules.some((key) => other.rules.includes(key)) && [other.action, ...(other.with ?? [])].some((action) => isOf(call, action))
}

/** When each call was made lately, with what was made now. */
export function rememberSent({ sent = {} }: Memory, { rules, answers }: Pick<Decision, 'rules' | 'answers'>): Sent {
  const events = new Map(rules.flatMap(({ key, event }) => (event === undefined ? [] : [[key, event.id] as const])))
  const eventOf: EventOf = (key) => events.get(key)
  const done = answers.filter(({ result }) => result === 'done')
  const now = Math.max(
    0,
    ...done.map(({ at }) => Date.parse(at)),
    ...Object.values(sent).flatMap((times) => times.map((at) => Date.parse(at))),
  )
  const next: Sent = {}
  for (const [signature, times] of Object.entries(sent)) {
    const kept = times.filter((at) => now - Date.parse(at) < KEPT_MS)
    if (kept.length > 0) next[signature] = kept.slice(-KEPT)
  }
  for (const { call, at } of done) {
    for (const signature of [asFlip(call, eventOf), asAnswer(call, eventOf)].filter((each) => each !== undefined))
      next[signature] = [...(next[signature] ?? []), at].slice(-KEPT)
  }
  return next
}
