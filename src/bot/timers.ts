// "Judge again at T": a small job of its own that only wakes the merge request (DESIGN §2.3); it never postpones what is due earlier.
import type { JobHandler, Lane } from '../queue/types.ts'
import type { MergeRequestRef } from '../rules/types.ts'
import { keyOf, type MergeRequestJob } from './intake.ts'

/** A timer says which merge request, and nothing else. */
export type TimerJob = MergeRequestRef

// A condition that changes later than this is looked at then, and again: nobody needs a job that sleeps for years.
const longestMs = 30 * 24 * 60 * 60_000

/** Wakes the merge request at a moment. The same moment of the same merge request is kept once. Throws QueueUnavailable. */
export async function setTimer(timers: Lane<TimerJob>, mergeRequest: MergeRequestRef, at: string, now: number): Promise<void> {
  const due = Math.min(Date.parse(at), now + longestMs)
  // A second later: at the moment itself a condition such as "older than" is not yet true.
  const seconds = Math.ceil(due / 1000) + 1
  const { project, iid } = mergeRequest
  await timers.add({ data: mergeRequest, id: `timer-${project}-${iid}-${seconds}`, delayMs: Math.max(1000, seconds * 1000 - now) })
}

/** The handler of the timers lane. */
export function createTimerHandler(mergeRequests: Lane<MergeRequestJob>): JobHandler<TimerJob> {
  return async ({ data }) => {
    await mergeRequests.add({ data, oneAtATime: keyOf(data) })
    return { outcome: 'done' }
  }
}
