// The flip breaker: a call that something undoes again and again is not made for ever (DESIGN §4 Conflicts, §6 no loop).
import { fingerprint } from './fingerprint.ts'
import type { Answer, Call, Json, Memory } from './types.ts'

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
/** What each event asks for anew may well be the same: only what goes on for ever is a loop. */
const limitsOfEvents: readonly Limit[] = limits.map((limit) => ({ ...limit, times: limit.times * 4 }))
const FEWEST = Math.min(...limits.map(({ times }) => times))
const KEPT_MS = Math.max(...limits.map(({ withinMs }) => withinMs))
const KEPT = Math.max(...limitsOfEvents.map(({ times }) => times))
/** Texts may differ each time, and the call still be the same. */
const texts = new Set(['body', 'title', 'description'])

/** Why the merge request is paused, and until when. */
export interface Flipping {
  reason: string
  /** Epoch milliseconds. */
  until: number
}

function signatureOf({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>): string {
  const plain = Object.entries(params).filter(([key]) => !texts.has(key))
  return fingerprint([endpoint, Object.fromEntries(plain) as Json])
}

/** The first call that was made too often lately; `isOfEvent` tells the rules that act for events. */
export function flipping(
  memory: Memory,
  calls: readonly Call[],
  now: number,
  isOfEvent: (rule: string) => boolean = () => false,
): Flipping | undefined {
  for (const call of calls) {
    const times = (memory.sent?.[signatureOf(call)] ?? []).map((at) => Date.parse(at))
    if (times.length < FEWEST) continue
    const ofEvents = call.rules.length > 0 && call.rules.every(isOfEvent)
    const own = ofEvents ? limitsOfEvents : limits
    const broken = own.flatMap((limit) => {
      const until = (times.at(-limit.times) ?? Number.NEGATIVE_INFINITY) + limit.withinMs
      return until > now ? [{ ...limit, until }] : []
    })
    const worst = broken.sort((one, other) => other.until - one.until)[0]
    if (worst === undefined) continue
    const why = ofEvents ? 'events ask for it again and again' : 'something undoes it each time'
    const reason = `${call.action} was done ${worst.times} times within ${worst.said}, and ${why}: no rule acts until that rests`
    return { reason, until: worst.until }
  }
  return undefined
}

/** When each call was made lately, with what was made now. */
export function rememberSent({ sent = {} }: Memory, answers: readonly Answer[]): NonNullable<Memory['sent']> {
  const done = answers.filter(({ result }) => result === 'done')
  const now = Math.max(
    0,
    ...done.map(({ at }) => Date.parse(at)),
    ...Object.values(sent).flatMap((times) => times.map((at) => Date.parse(at))),
  )
  const next: Record<string, string[]> = {}
  for (const [signature, times] of Object.entries(sent)) {
    const kept = times.filter((at) => now - Date.parse(at) < KEPT_MS)
    if (kept.length > 0) next[signature] = kept.slice(-KEPT)
  }
  for (const { call, at } of done) {
    const signature = signatureOf(call)
    next[signature] = [...(next[signature] ?? []), at].slice(-KEPT)
  }
  return next
}
