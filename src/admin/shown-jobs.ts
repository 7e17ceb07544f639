// Jobs as they may be shown, never with their body: those of a lane in one state, and what failed about a merge request or a project.
import * as z from 'zod'
import type { StoredJob } from '../queue/types.ts'
import type { DeskLane, LaneName } from './desk.ts'

export const laneNames = [
  'deliveries',
  'mergeRequests',
  'ruleChanges',
  'sweeps',
  'timers',
  'notices',
] as const satisfies readonly LaneName[]
export const jobStates = ['waiting', 'delayed', 'failed', 'active'] as const
type JobState = (typeof jobStates)[number]

export interface JobAnswer {
  id: string
  lane: LaneName
  state: string
  attempts: number
  /** ISO 8601. */
  addedAt: string
  /** Why the last attempt failed. */
  failure?: string
  about?: { project: number; iid: number }
}

export interface FailedJobsAnswer {
  items: JobAnswer[]
  /** More failed than were looked at. */
  more: boolean
}

export const lane = z.enum(laneNames)
export const job = z.looseObject({ id: z.string(), lane, state: z.string(), attempts: z.int(), addedAt: z.iso.datetime() })

/** BullMQ keeps those of a paused lane, and those with a priority, as states of their own. */
const alike: Record<JobState, StoredJob<unknown>['state'][]> = {
  waiting: ['waiting', 'prioritized', 'paused'],
  delayed: ['delayed'],
  failed: ['failed'],
  active: ['active'],
}
/** The queue finds jobs by their state only: so many of a lane, the newest, are looked at for one answer. */
export const mostLookedAt = 1_000

export const jobsIn = (of: DeskLane, state: JobState, from: number, count: number) => of.list(alike[state], from, count)

/** What failed of judging merge requests and the rule files in them, newest first: it tells why there is no decision. `wanted` is asked what a job is about. */
export async function failedJobs(
  lanes: Record<LaneName, DeskLane>,
  wanted: (about: NonNullable<JobAnswer['about']>) => boolean,
): Promise<FailedJobsAnswer> {
  const answer: FailedJobsAnswer = { items: [], more: false }
  for (const name of ['mergeRequests', 'ruleChanges'] as const) {
    const jobs = await jobsIn(lanes[name], 'failed', 0, mostLookedAt + 1)
    answer.more ||= jobs.length > mostLookedAt
    const shown = jobs.slice(0, mostLookedAt).map((each) => shownJob(name, each))
    answer.items.push(...shown.filter(({ about }) => about !== undefined && wanted(about)))
  }
  return answer
}

/** A job as it may be shown. */
export function shownJob(name: LaneName, { id, state, attempts, addedAt, failure, data }: StoredJob<unknown>): JobAnswer {
  const about = typeof data === 'object' && data !== null ? data : {}
  const isOne = 'project' in about && 'iid' in about && typeof about.project === 'number' && typeof about.iid === 'number'
  return {
    ...{ id, lane: name, attempts, addedAt: new Date(addedAt).toISOString() },
    state: state === 'prioritized' || state === 'paused' ? 'waiting' : state,
    ...(failure === undefined ? {} : { failure }),
    ...(isOne ? { about: { project: Number(about.project), iid: Number(about.iid) } } : {}),
  }
}
