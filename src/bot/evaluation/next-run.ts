// When a merge request is evaluated again: at once, later, at a given time, or not before the next event.
import type { PendingEvent } from '../../journal/types.ts'
import type { JobHandler, JobQueue, JobResult } from '../../queue/types.ts'
import type { CallResponse, Decision, Memory, MergeRequestRef } from '../../rules/types.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../queues.ts'
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

const day = 24 * 60 * 60
const month = 30 * day

/**
 * Enqueues the merge request at a time. Where that is more than a day away it does so earlier, and that evaluation
 * schedules the next. Equal times of a merge request share one job. Throws QueueUnavailable.
 */
export async function scheduleEvaluation(
  scheduledEvaluations: JobQueue<MergeRequestJob>,
  mergeRequest: MergeRequestRef,
  at: string,
  now: number,
): Promise<void> {
  // A second later: at the exact time a condition such as "older than" is not true yet.
  const seconds = roundedDue(mergeRequest, Math.ceil(Date.parse(at) / 1000) + 1, now / 1000)
  const { project, iid } = mergeRequest
  // A deduplication key, not an id: the same time can come again when a clock is set back.
  const deduplicationKey = `timer-${project}-${iid}-${seconds}`
  await scheduledEvaluations.add({
    data: mergeRequest,
    deduplicationKey,
    delayMs: Math.max(1000, seconds * 1000 - now),
  })
}

/**
 * In seconds. Times over a day away are rounded down to one a day, over a month away to one a month. Each merge
 * request has its own offset, to spread the load.
 */
function roundedDue({ project, iid }: MergeRequestRef, due: number, now: number): number {
  if (due - now <= day) return due
  const step = due - now <= month ? day : month
  const offset = (project * 7_919 + iid * 104_729) % step
  return Math.floor(((step === day ? due : now + month) - offset) / step) * step + offset
}

/** The handler of the queue of scheduled evaluations. */
export function createScheduledEvaluationHandler(
  mergeRequests: JobQueue<MergeRequestJob>,
): JobHandler<MergeRequestJob> {
  return async ({ data }) => {
    await enqueueEvaluation(mergeRequests, data)
    return { outcome: 'done' }
  }
}
