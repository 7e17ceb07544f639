// The queues: jobs by state; pause, resume, retry and discard; and the audit log of all writes.
import * as z from 'zod'
import { JobNotRetryable } from '../../../queue/errors.ts'
import { queueNames } from '../../../queue/queue-names.ts'
import type { AdminQueue } from '../../admin-context.ts'
import { flag, ofProject, optionalProject, pagination, project, refOf, wholeNumber, why } from '../inputs.ts'
import {
  failedJobs,
  failedJobsResponse,
  job,
  jobStates,
  listJobs,
  queueName,
  scanLimit,
  summarizeJob,
} from '../jobs.ts'
import { audit, names, page, pausedProject } from '../response-schemas.ts'
import { accepted, getRoute, ok, postRoute, type Reply } from '../route.ts'

const queueStatus = z.object({ queue: queueName, paused: z.boolean(), counts: z.record(z.string(), z.int()) })
export type QueueStatus = z.output<typeof queueStatus>

const queueResponse = z.object({ queues: z.array(queueStatus), pausedProjects: z.array(pausedProject) })
export type QueueResponse = z.output<typeof queueResponse>

const bulkResponse = z.object({
  dryRun: z.boolean(),
  count: z.int().describe('How many jobs were changed, or would be.'),
  more: z.boolean().describe('There are more than `limit`.'),
  remaining: z.int().describe('How many are in that state afterwards.'),
})
export type BulkResponse = z.output<typeof bulkResponse>

const noJob = 'There is no such job, or it is no longer in that state: list the jobs of the queue.'
const inQueue = z.object({ queue: queueName })
const oneJob = z.object({ queue: queueName, id: z.string().describe('The id of a job.') })
const done = z.object({ done: z.boolean() })
const changedProject = { project: z.int().optional(), ...names }
const bulkLimit = 200

export const queueRoutes = [
  getRoute('show_queue', '/queue', {
    doc: 'Counts the jobs of each queue by state, and lists what is paused.',
    responses: { 200: queueResponse },
    async handle(_given, { queues, paused }) {
      const all: QueueStatus[] = []
      for (const name of queueNames)
        all.push({ queue: name, paused: await queues[name].isPaused(), counts: await queues[name].counts() })
      return ok<QueueResponse>({ queues: all, pausedProjects: await paused.list() })
    },
  }),
  getRoute('list_jobs', '/queue/{queue}/jobs', {
    doc: 'Lists the jobs of a queue, newest first.',
    params: inQueue,
    input: z.strictObject({
      state: z.enum(jobStates).default('failed').describe('The state of the jobs.'),
      from: wholeNumber(0, 1_000_000).default(0),
      limit: wholeNumber(1, 200).default(50),
    }),
    responses: { 200: z.object({ items: z.array(job) }) },
    async handle({ params, input }, { queues }) {
      const jobs = await listJobs(queues[params.queue], input.state, input.from, input.limit)
      return ok({ items: jobs.map((each) => summarizeJob(params.queue, each)) })
    },
  }),
  getRoute('list_failed_jobs', '/failed-jobs', {
    doc: `Lists the failed evaluations of a project, merge request or issue, among the newest ${scanLimit} failed jobs of each queue.`,
    input: z.strictObject({ project, ...ofProject }),
    responses: { 200: failedJobsResponse },
    async handle({ input: { project, iid, subject } }, { queues }) {
      const only = iid === undefined ? undefined : refOf({ project, iid, subject }).iid
      return ok(
        await failedJobs(queues, (each) => each.project === project && (only === undefined || each.iid === only)),
      )
    },
  }),
  jobRoute('retry_job', 'retry', 'Enqueues a failed job again.', (queue, id) => queue.retry(id)),
  jobRoute('promote_job', 'promote', 'Runs a delayed job now.', (queue, id) => queue.promote(id)),
  jobRoute(
    'discard_job',
    'discard',
    'Discards a waiting, delayed or failed job without running it.',
    async (queue, id) => {
      const found = await queue.get(id)
      if (found === undefined || found.state === 'active' || found.state === 'completed')
        throw new JobNotRetryable(noJob)
      await queue.remove(id)
    },
  ),
  postRoute('retry_failed', '/queue/{queue}/retry-failed', 'manage', {
    doc: `Enqueues the failed jobs of a queue again, at most ${bulkLimit} at a time.`,
    params: inQueue,
    input: z.strictObject({ limit: wholeNumber(1, bulkLimit).default(bulkLimit), dry_run: flag.default(false), why }),
    responses: { 202: bulkResponse },
    handle: ({ params, input }, { queues }) =>
      changeJobs(queues[params.queue], 'failed', input, (id) => queues[params.queue].retry(id)),
  }),
  postRoute('discard_jobs', '/queue/{queue}/discard', 'manage', {
    doc: `Discards the jobs of a queue in one state, at most ${bulkLimit} at a time. A dry run (the default) only counts them.`,
    params: inQueue,
    input: z.strictObject({
      state: z.enum(['waiting', 'delayed', 'failed']).describe('All jobs in this state.'),
      limit: wholeNumber(1, bulkLimit).default(bulkLimit),
      dry_run: flag.default(true),
      why,
    }),
    responses: { 202: bulkResponse },
    handle: ({ params, input }, { queues }) =>
      changeJobs(queues[params.queue], input.state, input, (id) => queues[params.queue].remove(id)),
  }),
  postRoute('pause', '/queue/pause', 'manage', {
    doc: 'Starts no more jobs in any process: all, or those of one project’s merge requests. Active jobs finish; deliveries are still accepted.',
    input: z.strictObject({ project: optionalProject, why }),
    responses: { 202: z.object({ done: z.boolean(), ...changedProject }) },
    async handle({ input: { project, why: reason }, by }, { queues, paused, now }) {
      if (project === undefined) for (const name of queueNames) await queues[name].pause()
      else await paused.pause({ project, at: new Date(now()).toISOString(), by, why: reason })
      return accepted({ done: true, project })
    },
  }),
  postRoute('resume', '/queue/resume', 'manage', {
    doc: 'Resumes one project and evaluates the merge requests that were held back, or resumes everything but paused projects.',
    input: z.strictObject({ project: optionalProject, why }),
    responses: { 202: z.looseObject({ done: z.boolean(), enqueued: z.int().optional(), ...changedProject }) },
    async handle({ input: { project } }, { queues, paused }) {
      if (project !== undefined) return accepted({ done: true, project, enqueued: await paused.resume(project) })
      for (const name of queueNames) await queues[name].resume()
      return accepted({ done: true })
    },
  }),
  postRoute('allow_new_rules', '/projects/{project}/allow-new-rules', 'manage', {
    doc: 'Ends the new-rule limit for the rules that the project has now, and sweeps the project.',
    params: z.object({ project }),
    input: z.strictObject({ why }),
    responses: { 202: z.looseObject({ done: z.boolean(), ...changedProject }) },
    async handle({ params: { project } }, { allowNewRules, sweep }) {
      await allowNewRules(project)
      await sweep(String(project), false)
      return accepted({ done: true, project })
    },
  }),
  getRoute('list_audit', '/audit', {
    doc: 'Lists all writes, newest first.',
    input: z.strictObject(pagination),
    responses: { 200: page(audit) },
    handle: async ({ input }, { journal }) => ok(await journal.audit.list(input)),
  }),
]

function jobRoute(name: string, verb: string, doc: string, change: (queue: AdminQueue, id: string) => Promise<void>) {
  return postRoute(name, `/queue/{queue}/jobs/{id}/${verb}`, 'manage', {
    doc,
    params: oneJob,
    input: z.strictObject({ why }),
    responses: { 202: done },
    errors: { 404: noJob },
    async handle({ params }, { queues }) {
      const changed = await isDone(() => change(queues[params.queue], params.id))
      return changed ? accepted({ done: true }) : undefined
    },
  })
}

/** False if the job is gone or changed state in the meantime. */
async function isDone(change: () => Promise<void>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (!(error instanceof JobNotRetryable)) throw error
    return false
  }
}

async function changeJobs(
  queue: AdminQueue,
  state: 'waiting' | 'delayed' | 'failed',
  input: { limit: number; dry_run: boolean },
  change: (id: string) => Promise<void>,
): Promise<Reply> {
  const jobs = await listJobs(queue, state, 0, input.limit + 1)
  const chosen = jobs.slice(0, input.limit)
  const more = jobs.length > chosen.length
  let count = 0
  if (input.dry_run) count = chosen.length
  else for (const { id } of chosen) if (await isDone(() => change(id))) count += 1
  return accepted<BulkResponse>({ dryRun: input.dry_run, count, more, remaining: (await queue.counts())[state] })
}
