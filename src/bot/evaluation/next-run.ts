// When a merge request is evaluated again: at once, later, or not before the next event or the time of its next change.
import type { PendingEvent } from '../../journal/types.ts'
import type { JobResult } from '../../queue/types.ts'
import type { CallResponse, Decision, Memory } from '../../rules/types.ts'
import { withoutReplays } from './record-decision.ts'

export const shortestWaitMs = 1_000
// A merge request that cannot be merged now is polled with growing delays, until an event arrives.
const longestWaitMs = 5 * 60_000

/** What follows from the outcomes of a decision; `merged`: a call of it merged the merge request. */
export function nextRun(
  decision: Decision,
  { pending }: Memory,
  { waitedMs, merged = false }: { waitedMs: number; merged?: boolean | undefined },
): 'evaluate_again' | JobResult {
  const has = (result: CallResponse['result']) => decision.responses.some((each) => each.result === result)
  if (has('moved')) return 'evaluate_again'
  if (has('not_now')) return wait(waitedMs, shortestWaitMs, decision.responses.at(-1)?.message ?? 'not_now')
  // The service sends a hook for the merge, and the sweep finds a merge whose hook was lost.
  if (merged) return { outcome: 'done' }
  if (decision.responses.some(changedFacts)) return 'evaluate_again'
  const { againInMs } = decision
  if (againInMs === undefined) return { outcome: 'done' }
  // This delay does not grow.
  if (pending !== undefined)
    return { outcome: 'later', delayMs: againInMs, reason: 'a call got no response: its effect is checked again' }
  return wait(waitedMs, againInMs, 'the service is still checking, or a rule waits for a while')
}

/** A call to the merge queue or to a chat changes no fact. */
const changedFacts = ({ call, result }: CallResponse) =>
  (result === 'done' || result === 'dropped') && call.to === 'service'

function wait(waitedMs: number, atLeastMs: number, reason: string): JobResult {
  const half = Math.round(waitedMs / 2)
  return { outcome: 'later', delayMs: Math.max(atLeastMs, Math.min(longestWaitMs, half)), reason }
}

/** A new event resets the delay: its job may have waited for days. */
export function waitedSince(memory: Memory, pendingEvents: PendingEvent[], now: number): Memory['waits'] {
  const newest = pendingEvents.at(-1)
  if (newest === undefined || newest.deliveryId === memory.waits?.delivery) return memory.waits
  return { since: now, delivery: newest.deliveryId }
}

/** When the oldest event was received that no evaluation has seen. */
export function oldestUnseen(memory: Memory, pendingEvents: PendingEvent[]): number | undefined {
  const seen = pendingEvents.findLastIndex(({ deliveryId }) => deliveryId === memory.waits?.delivery)
  const [first] = withoutReplays(pendingEvents.slice(seen + 1))
  return first === undefined ? undefined : Date.parse(first.event.at)
}
