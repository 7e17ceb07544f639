// The queue: what waits, runs and failed; pausing, resuming, trying again and discarding.
import * as z from 'zod'
import { JobNotRetryable } from '../../queue/errors.ts'
import type { DeskLane, LaneName, PausedProject } from '../desk.ts'
import { flag, integer, nothing, whole, why } from '../inputs.ts'
import { accepted, ok, type Reply, refuse, route } from '../route.ts'
import { pausedProject } from '../shapes.ts'
import { failedJobs, job, jobStates, jobsIn, lane, laneNames, mostLookedAt, shownJob } from '../shown-jobs.ts'

export interface LaneAnswer {
  lane: LaneName
  paused: boolean
  counts: Record<string, number>
}
export interface QueueAnswer {
  lanes: LaneAnswer[]
  pausedProjects: PausedProject[]
}
export interface BulkAnswer {
  dryRun: boolean
  /** How many were, or would be; with `more`, there are others. */
  count: number
  more: boolean
  /** How many are in that state afterwards. */
  left: number
}

const noJob = 'There is no such job, or not in that state (any more).'
const one = z.object({ lane, id: z.string() })
const done = z.object({ done: z.boolean() })
const mostAtOnce = 200
const bulk = z.object({ dryRun: z.boolean(), count: z.int(), more: z.boolean(), left: z.int().describe('In that state afterwards.') })

export const queueRoutes = [
  route({
    name: 'show_queue',
    method: 'get',
    path: '/queue',
    scope: 'read',
    doc: 'How many jobs of each lane are in each state, what is paused, and which projects.',
    params: nothing,
    input: nothing,
    answers: {
      200: z.object({
        lanes: z.array(z.object({ lane, paused: z.boolean(), counts: z.record(z.string(), z.int()) })),
        pausedProjects: z.array(pausedProject),
      }),
    },
    async handle(_given, { lanes, paused }) {
      const all: LaneAnswer[] = []
      for (const name of laneNames) all.push({ lane: name, paused: await lanes[name].isPaused(), counts: await lanes[name].counts() })
      const answer: QueueAnswer = { lanes: all, pausedProjects: await paused.list() }
      return ok(answer)
    },
  }),
  route({
    name: 'list_jobs',
    method: 'get',
    path: '/queue/{lane}/jobs',
    scope: 'read',
    doc: 'Jobs of a lane, newest first.',
    params: z.object({ lane }),
    input: z.strictObject({
      state: z.enum(jobStates).default('failed'),
      from: whole(0, 1_000_000).default(0),
      limit: whole(1, 200).default(50),
    }),
    answers: { 200: z.object({ items: z.array(job) }) },
    async handle({ params, input }, { lanes }) {
      const jobs = await jobsIn(lanes[params.lane], input.state, input.from, input.limit)
      return ok({ items: jobs.map((each) => shownJob(params.lane, each)) })
    },
  }),
  route({
    name: 'list_failed_jobs',
    method: 'get',
    path: '/failed-jobs',
    scope: 'read',
    doc: `What failed of judging the merge requests of a project, or one of them: among the newest ${mostLookedAt} failed jobs of each lane.`,
    params: nothing,
    input: z.strictObject({ project: integer, iid: integer.optional().describe('Of a merge request of that project.') }),
    answers: { 200: z.object({ items: z.array(job), more: z.boolean().describe('More failed than were looked at.') }) },
    handle: async ({ input: { project, iid } }, { lanes }) =>
      ok(await failedJobs(lanes, (about) => about.project === project && (iid === undefined || about.iid === iid))),
  }),
  jobRoute('retry_job', 'retry', 'Puts a failed job back in line.', (of, id) => of.retry(id)),
  jobRoute('promote_job', 'promote', 'Lets a delayed job run at once.', (of, id) => of.promote(id)),
  jobRoute(
    'discard_job',
    'discard',
    'Drops a job that waits, is delayed or failed: what it would have done is not done.',
    async (of, id) => {
      const found = await of.get(id)
      if (found === undefined || found.state === 'active' || found.state === 'completed') throw new JobNotRetryable(noJob)
      await of.remove(id)
    },
  ),
  route({
    name: 'retry_failed',
    method: 'post',
    path: '/queue/{lane}/retry-failed',
    scope: 'manage',
    doc: 'Puts the failed jobs of a lane back in line, 200 at a time at most.',
    params: z.object({ lane }),
    input: z.strictObject({ limit: whole(1, mostAtOnce).default(mostAtOnce), dry_run: flag.default(false), why }),
    answers: { 202: bulk },
    handle: ({ params, input }, { lanes }) => all(lanes[params.lane], 'failed', input, (id) => lanes[params.lane].retry(id)),
  }),
  route({
    name: 'discard_jobs',
    method: 'post',
    path: '/queue/{lane}/discard',
    scope: 'manage',
    doc: 'Drops the jobs of a lane that are in one state, 200 at a time at most. A dry run, which is the default, only counts them.',
    params: z.object({ lane }),
    input: z.strictObject({
      state: z.enum(['waiting', 'delayed', 'failed']),
      limit: whole(1, mostAtOnce).default(mostAtOnce),
      dry_run: flag.default(true),
      why,
    }),
    answers: { 202: bulk },
    handle: ({ params, input }, { lanes }) => all(lanes[params.lane], input.state, input, (id) => lanes[params.lane].remove(id)),
  }),
  route({
    name: 'pause',
    method: 'post',
    path: '/queue/pause',
    scope: 'manage',
    doc: 'Begins no more jobs, in no process: of one project’s merge requests, or at all. What runs goes on; deliveries are still taken.',
    params: nothing,
    input: z.strictObject({ project: integer.optional(), why }),
    answers: { 202: done },
    async handle({ input: { project, why: reason }, by }, { lanes, paused, now }) {
      if (project === undefined) for (const name of laneNames) await lanes[name].pause()
      else await paused.pause({ project, at: new Date(now()).toISOString(), by, ...(reason === undefined ? {} : { why: reason }) })
      return accepted({ done: true })
    },
  }),
  route({
    name: 'resume',
    method: 'post',
    path: '/queue/resume',
    scope: 'manage',
    doc: 'Goes on with one project’s merge requests, judging those that were held back; or with everything but paused projects.',
    params: nothing,
    input: z.strictObject({ project: integer.optional(), why }),
    answers: { 202: z.looseObject({ done: z.boolean(), woken: z.int().optional() }) },
    async handle({ input: { project } }, { lanes, paused }) {
      if (project !== undefined) return accepted({ done: true, woken: await paused.resume(project) })
      for (const name of laneNames) await lanes[name].resume()
      return accepted({ done: true })
    },
  }),
]

function jobRoute(name: string, verb: string, doc: string, act: (of: DeskLane, id: string) => Promise<void>) {
  return route({
    name,
    method: 'post',
    path: `/queue/{lane}/jobs/{id}/${verb}`,
    scope: 'manage',
    doc,
    params: one,
    input: z.strictObject({ why }),
    answers: { 202: done },
    refusals: { 404: noJob },
    async handle({ params }, { lanes }) {
      const acted = await tried(() => act(lanes[params.lane], params.id))
      return acted ? accepted({ done: true }) : refuse(404, noJob)
    },
  })
}

/** False where it is not there any more, or somebody else was faster. */
async function tried(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!(error instanceof JobNotRetryable)) throw error
    return false
  }
}

async function all(
  of: DeskLane,
  state: 'waiting' | 'delayed' | 'failed',
  input: { limit: number; dry_run: boolean },
  act: (id: string) => Promise<void>,
): Promise<Reply> {
  const jobs = await jobsIn(of, state, 0, input.limit + 1)
  const chosen = jobs.slice(0, input.limit)
  const more = jobs.length > chosen.length
  let count = 0
  if (input.dry_run) count = chosen.length
  else for (const { id } of chosen) if (await tried(() => act(id))) count += 1
  const answer: BulkAnswer = { dryRun: input.dry_run, count, more, left: (await of.counts())[state] }
  return accepted(answer)
}
