// "Judge again at T": a small job of its own that only wakes the merge request (DESIGN §2.3); it never postpones what is due earlier.
import type { JobHandler, Lane } from '../queue/types.ts'
import type { MergeRequestRef } from '../rules/types.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'

/** A timer says which merge request, and nothing else. */
export type TimerJob = MergeRequestRef

const day = 24 * 60 * 60
// A condition that changes later than this is looked at meanwhile: nobody needs a job that sleeps for years.
const month = 30 * day

/**
 * Wakes the merge request at a moment, or somewhat before one that is more than a day away: then the evaluation asks again, and however many
 * moments it has asked for, few timers wait. The same moment of the same merge request is kept once. Throws QueueUnavailable.
 */
export async function setTimer(timers: Lane<TimerJob>, mergeRequest: MergeRequestRef, at: string, now: number): Promise<void> {
  // A second later: at the moment itself a condition such as "older than" is not yet true.
  const seconds = stationBefore(mergeRequest, Math.ceil(Date.parse(at) / 1000) + 1, now / 1000)
  const { project, iid } = mergeRequest
  // One at a time, not an id: a moment that was there already can come again, by the clock of another process or one that was set back.
  const oneAtATime = `timer-${project}-${iid}-${seconds}`
  await timers.add({ data: mergeRequest, oneAtATime, delayMs: Math.max(1000, seconds * 1000 - now) })
}

/** Far moments share their stations, one a day within a month and then one a month; each merge request has its own, so that not all are judged at midnight. In seconds. */
function stationBefore({ project, iid }: MergeRequestRef, due: number, now: number): number {
  if (due - now <= day) return due
  const step = due - now <= month ? day : month
  const offset = (project * 7_919 + iid * 104_729) % step
  return Math.floor(((step === day ? due : now + month) - offset) / step) * step + offset
}

/** The handler of the timers lane. */
export function createTimerHandler(mergeRequests: Lane<MergeRequestJob>): JobHandler<TimerJob> {
  return async ({ data }) => {
    await mergeRequests.add({ data, oneAtATime: keyOf(data) })
    return { outcome: 'done' }
  }
}
