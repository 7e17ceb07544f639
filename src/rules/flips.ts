// The flip breaker: a call that something undoes again and again is not made for ever (DESIGN §4 Conflicts, §6 no loop).
import { fingerprint } from './fingerprint.ts'
import type { Answer, Call, Json, Memory } from './types.ts'

const WINDOW_MS = 10 * 60_000
const MOST = 5
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

/** The sending times of a call that are still of account. */
function recent(times: readonly string[], now: number): number[] {
  return times.map((at) => Date.parse(at)).filter((at) => now - at < WINDOW_MS)
}

/** The first call that was made too often lately. */
export function flipping(memory: Memory, calls: readonly Call[], now: number): Flipping | undefined {
  for (const call of calls) {
    const times = recent(memory.sent?.[signatureOf(call)] ?? [], now)
    const [first] = times
    if (times.length < MOST || first === undefined) continue
    const reason = `${call.action} was done ${times.length} times within ten minutes, and something undoes it each time: no rule acts until that rests`
    return { reason, until: first + WINDOW_MS }
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
    const kept = times.filter((at) => now - Date.parse(at) < WINDOW_MS)
    if (kept.length > 0) next[signature] = kept.slice(-MOST)
  }
  for (const { call, at } of done) {
    const signature = signatureOf(call)
    next[signature] = [...(next[signature] ?? []), at].slice(-MOST)
  }
  return next
}
