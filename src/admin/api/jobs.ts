// Jobs as the admin API shows them, without their bodies, and how many each queue has.
import * as z from 'zod'
import { QueueUnavailable } from '../../queue/errors.ts'
import { type QueueName, queueNames } from '../../queue/queue-names.ts'
import type { StoredJob } from '../../queue/types.ts'
import type { AdminQueue } from '../admin-context.ts'
import { names, subject } from './response-schemas.ts'

export const jobStates = ['waiting', 'delayed', 'failed', 'active'] as const
type JobState = (typeof jobStates)[number]

export const queueName = z.enum(queueNames).describe('The name of a queue.')
export const job = z.object({
  id: z.string(),
  queue: queueName,
  state: z.string(),
  attempts: z.int(),
  addedAt: z.iso.datetime(),
  runsAt: z.iso.datetime().optional().describe('About when a delayed job runs.'),
  failure: z.string().optional().describe('Why the last attempt failed, or why a delayed job waits.'),
  mergeRequest: z.object({ project: z.int(), iid: z.int().nonnegative(), subject, ...names }).optional(),
})
export type JobSummary = z.output<typeof job>

export const failedJobsResponse = z.object({
  items: z.array(job),
  more: z.boolean().describe('There are more failed jobs than were scanned.'),
})
export type FailedJobsResponse = z.output<typeof failedJobsResponse>

/** BullMQ has states of their own for jobs of a paused queue and jobs with a priority. */
const storedStates: Record<JobState, StoredJob<unknown>['state'][]> = {
  waiting: ['waiting', 'prioritized', 'paused'],
  delayed: ['delayed'],
  failed: ['failed'],
  active: ['active'],
}
/** The queue finds jobs by state only: so many of the newest are scanned for one response. */
export const scanLimit = 1_000

export const listJobs = (queue: AdminQueue, state: JobState, from: number, count: number) =>
  queue.list(storedStates[state], from, count)

/** Failed evaluations and rule-change notes of the merge requests that `isIncluded` accepts, newest first. */
export async function failedJobs(
  queues: Record<QueueName, AdminQueue>,
  isIncluded: (mergeRequest: NonNullable<JobSummary['mergeRequest']>) => boolean,
): Promise<FailedJobsResponse> {
  const response: FailedJobsResponse = { items: [], more: false }
  for (const name of ['mergeRequests', 'ruleChanges'] as const) {
    const jobs = await listJobs(queues[name], 'failed', 0, scanLimit + 1)
    response.more ||= jobs.length > scanLimit
    const scanned = jobs.slice(0, scanLimit).map((each) => summarizeJob(name, each))
    response.items.push(...scanned.filter(({ mergeRequest: of }) => of !== undefined && isIncluded(of)))
  }
  return response
}

export function summarizeJob(
  queue: QueueName,
  { id, state, attempts, addedAt, runsAt, failure, data }: StoredJob<unknown>,
): JobSummary {
  const { project, iid } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  return {
    id,
    queue,
    attempts,
    addedAt: new Date(addedAt).toISOString(),
    state: state === 'prioritized' || state === 'paused' ? 'waiting' : state,
    runsAt: runsAt === undefined ? undefined : new Date(runsAt).toISOString(),
    failure,
    mergeRequest: typeof project === 'number' && typeof iid === 'number' ? { project, iid } : undefined,
  }
}

const states = ['waiting', 'active', 'delayed', 'failed'] as const

export interface QueueDepth {
  queue: QueueName
  state: (typeof states)[number]
  count: number
  /** The age of the oldest job; absent if there is none. */
  ageMs?: number
}

/** The present depth. Undefined while the queue does not respond, so that the process's other metrics are served. */
export async function readDepth(
  queues: Record<QueueName, Pick<AdminQueue, 'counts' | 'oldest'>>,
  now: () => number,
): Promise<QueueDepth[] | undefined> {
  try {
    const found: QueueDepth[] = []
    for (const [name, queue] of Object.entries(queues)) {
      const [counts, oldest] = [await queue.counts(), await queue.oldest()]
      for (const state of states) {
        const added = oldest[state]
        found.push({
          queue: name as QueueName,
          state,
          count: counts[state],
          ageMs: added === undefined ? undefined : Math.max(0, now() - added),
        })
      }
    }
    return found
  } catch (error) {
    if (error instanceof QueueUnavailable) return undefined
    throw error
  }
}
