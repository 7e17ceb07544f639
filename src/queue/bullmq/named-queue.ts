// One named queue: adds, reads, retries, promotes, cleans and pauses jobs, and says whether it is settled.
import { randomUUID } from 'node:crypto'
import type { Queue as BullQueue, Job, JobType } from 'bullmq'
import { available, JobNotRetryable, QueueNotSettled } from '../errors.ts'
import type { JobQueue, NewJob, StoredJob } from '../types.ts'
import { NO_RUNS, readRuns } from './attempts.ts'
import { keyOf, LIMITER, type QueueBackend, storedAs } from './backend.ts'
import { decodeData, encodeData } from './job-data.ts'
import type { BullmqStorage } from './storage.ts'

/** Each job may hold a body of megabytes. */
const CLEANED_AT_ONCE = 5

/** How many runs a worker has begun; `isIdle`: none goes on, and none is about to begin at once. */
export interface WorkerActivity {
  runs: number
  isIdle: boolean
}

/** The caller closes `queue`. `activity`: of its workers in this process. */
export function bullmqJobQueue<T>(
  queue: BullQueue,
  backend: QueueBackend,
  activity: () => WorkerActivity,
): JobQueue<T> {
  const { name } = queue
  const add = createAdd<T>(queue, backend)
  return {
    name,
    add,
    ...createQueueReader<T>(queue, backend.storage, activity),
    schedule: (id, everyMs, data) =>
      reach(name, 'set a schedule', async () => {
        if (everyMs <= 0) return void (await queue.removeJobScheduler(id))
        // Each of its jobs begins a trace of its own.
        const opts = { ...storedAs(backend), telemetry: { omitContext: true } }
        const template = { name: id, data: encodeData(data), opts }
        await queue.upsertJobScheduler(id, { every: everyMs, startDate: Date.now() + everyMs }, template)
      }),
    async retry(id) {
      await retry(queue, id, add)
      await reach(name, 'retry a job', async () => backend.replicated?.())
    },
    remove: (id) => reach(name, 'remove a job', async () => void (await queue.remove(id))),
    promote: (id) => promote(queue, id),
    cleanFinished: (olderThanMs, replaceData) =>
      reach(name, 'clean finished jobs', () => cleanFinished(queue, olderThanMs, replaceData)),
    pause: () => reach(name, 'pause', () => queue.pause()),
    resume: () => reach(name, 'resume', () => queue.resume()),
    isPaused: () => reach(name, 'say whether it is paused', () => queue.isPaused()),
    pauseFor: (forMs) => reach(name, 'pause for a while', () => pauseQueueFor(queue, forMs)),
  }
}

function createAdd<T>(
  queue: BullQueue,
  backend: Pick<QueueBackend, 'kind' | 'storage' | 'replicated'>,
): JobQueue<T>['add'] {
  /** BullMQ wakes a delayed job of the key, but leaves one that waits where it is. */
  async function raise(id: string, priority: number): Promise<void> {
    const job = await queue.getJob(id)
    if (job === undefined || job.priority <= priority) return
    await job.changePriority({ priority }).catch(ignoreIfGone(queue, id))
  }

  return async (job) => {
    const isUnusable = job.id?.includes(':') || String(Number.parseInt(job.id ?? '', 10)) === job.id || job.id === ''
    if (isUnusable) throw new TypeError(`A job id may not contain ":" nor be a number, but it is "${job.id}".`)
    // BullMQ returns the same whether it added the job or dropped it; only the first add writes the name.
    const ticket = randomUUID()
    const jobId = job.id ?? (job.deduplicationKey === undefined ? undefined : ticket)
    return reach(queue.name, 'add a job', async () => {
      const added = await queue.add(ticket, encodeData(job.data), { ...jobOptions(job, backend), jobId })
      if (job.onReplica) await backend.replicated?.()
      const id = String(added.id)
      if (job.id !== undefined) return { id, added: (await backend.storage.head(queue, id))?.name === ticket }
      const isNew = jobId === undefined || id === jobId
      if (!isNew && !job.delayMs) await raise(id, job.priority ?? 0)
      return { id, added: isNew }
    })
  }
}

function jobOptions({ id, deduplicationKey, delayMs, priority }: NewJob<unknown>, backend: Pick<QueueBackend, 'kind'>) {
  return {
    ...storedAs(backend, id),
    delay: delayMs && Math.ceil(delayMs),
    priority,
    // With `reschedule` a delayed add would postpone a job that is due earlier.
    ...(deduplicationKey && {
      deduplication: { id: deduplicationKey, keepLastIfActive: true, reschedule: !delayMs },
    }),
  }
}

async function retry<T>(queue: BullQueue, id: string, add: JobQueue<T>['add']): Promise<void> {
  const { name } = queue
  const findFailed = () =>
    reach(name, 'read a job', async () => {
      const job = await findJob(queue, id)
      return (await job?.getState()) === 'failed' ? job : undefined
    })
  const refusal = () => new JobNotRetryable(`Job ${id} of ${name} has not failed.`)
  const job = await findFailed()
  if (job === undefined) throw refusal()
  const deduplicationKey = keyOf(job)
  if (deduplicationKey === undefined) {
    return reach(name, 'retry a job', () => retryJob(job)).catch(async (thrown) => {
      // Someone else may have retried it in between.
      throw (await findFailed()) === undefined ? refusal() : thrown
    })
  }
  // A failed job has lost its key and could run at the same time as another job of that key: add it again instead.
  await add({ data: decodeData(job.data) as T, deduplicationKey, priority: job.priority || undefined })
  await reach(name, 'remove a job', () => queue.remove(id))
}

async function retryJob(job: Job): Promise<void> {
  await job.updateProgress({ ...NO_RUNS })
  await job.retry('failed', { resetAttemptsMade: true })
}

async function promote(queue: BullQueue, id: string): Promise<void> {
  const job = await reach(queue.name, 'read a job', () => findJob(queue, id))
  if (job === undefined || (await reach(queue.name, 'read a job', () => job.getState())) !== 'delayed')
    throw new JobNotRetryable(`Job ${id} of ${queue.name} is not delayed.`)
  await reach(queue.name, 'promote a job', () => job.promote())
}

async function cleanFinished<T>(
  queue: BullQueue,
  olderThanMs: { completed: number; failed: number },
  replaceData: (data: T) => T | undefined,
): Promise<void> {
  await queue.clean(olderThanMs.completed, 0, 'completed')
  const before = Date.now() - olderThanMs.failed
  for (let from = 0; ; from += CLEANED_AT_ONCE) {
    const jobs = await queue.getJobs(['failed'], from, from + CLEANED_AT_ONCE - 1, true)
    for (const job of jobs) {
      if (job === undefined || (job.finishedOn ?? job.timestamp) > before) continue
      const newData = replaceData(decodeData(job.data) as T)
      if (newData !== undefined) await job.updateData(encodeData(newData)).catch(ignoreIfGone(queue, String(job.id)))
    }
    if (jobs.length < CLEANED_AT_ONCE) return
  }
}

/** Never shortens a longer pause. */
export async function pauseQueueFor(queue: BullQueue, forMs: number): Promise<void> {
  await queue.rateLimit(Math.max(Math.ceil(forMs), await queue.getRateLimitTtl(LIMITER.max), 1))
}

/** A job may finish and be removed while it is changed. */
function ignoreIfGone(queue: BullQueue, id: string): (thrown: unknown) => Promise<void> {
  return async (thrown) => {
    if ((await queue.getJob(id)) !== undefined) throw thrown
  }
}

// On PostgreSQL the jobs of a paused queue have a state of their own, which BullMQ's types do not name.
const COUNTED = ['waiting', 'paused', 'prioritized', 'active', 'delayed', 'failed', 'completed'] as JobType[]
const SETTLED_WITHIN_MS = 2_000
const SETTLED_TIMEOUT_MS = 30_000
const SLOWEST_POLL_MS = 100

/** The backlog measures only the first so many waiting and so many delayed jobs, so that it never takes long. */
const MEASURED_AT_MOST = 1_000

/** So many jobs of each state are asked for their age. */
const AGED_AT_MOST = 200

function createQueueReader<T>(queue: BullQueue, storage: BullmqStorage, activity: () => WorkerActivity) {
  const { name } = queue

  async function counts(): Promise<Awaited<ReturnType<JobQueue<T>['counts']>>> {
    const found = await queue.getJobCounts(...COUNTED)
    return {
      waiting: (found.waiting ?? 0) + (found.paused ?? 0) + (found.prioritized ?? 0),
      active: found.active ?? 0,
      delayed: found.delayed ?? 0,
      failed: found.failed ?? 0,
      completed: found.completed ?? 0,
    }
  }

  const reader: Pick<JobQueue<T>, 'get' | 'list' | 'counts' | 'backlog' | 'oldest' | 'settled'> = {
    get: (id) =>
      reach(name, 'read a job', async () => {
        const job = await findJob(queue, id)
        return job && storedJob<T>(job)
      }),
    list: (states, from, count) =>
      reach(name, 'list jobs', async () => {
        if (count < 1) return []
        const types = states.filter((state) => state !== 'unknown') as JobType[]
        // BullMQ pages each state separately: the newest of all states are among the newest of each.
        const first = types.length === 1 ? from : 0
        const jobs = (await queue.getJobs(types, first, from + count - 1, false)).filter((job) => job !== undefined)
        jobs.sort((a, b) => b.timestamp - a.timestamp)
        return Promise.all(jobs.slice(from - first, from - first + count).map((job) => storedJob<T>(job)))
      }),
    counts: () => reach(name, 'count jobs', counts),
    backlog: () =>
      reach(name, 'measure the backlog', async () => {
        const states = ['waiting', 'delayed'] as const
        const lines = await Promise.all(states.map((state) => storage.first(queue, state, MEASURED_AT_MOST)))
        const measured = lines.flat()
        const bytes = measured.reduce((sum, job) => sum + job.bytes, 0)
        if (lines.every(({ length }) => length < MEASURED_AT_MOST)) return { jobs: measured.length, bytes }
        const { waiting, delayed } = await counts()
        const jobs = waiting + delayed
        return { jobs, bytes: Math.round(bytes * (jobs / measured.length)) }
      }),
    oldest: () =>
      reach(name, 'find the oldest jobs', async () => {
        const states = ['waiting', 'active', 'delayed', 'failed'] as const
        const ages = await Promise.all(
          states.map(async (state) => {
            const jobs = await storage.first(queue, state, AGED_AT_MOST)
            return jobs.length === 0 ? [] : [[state, Math.min(...jobs.map((job) => job.addedAt))] as const]
          }),
        )
        return Object.fromEntries(ages.flat())
      }),
    async settled({ withinMs = SETTLED_WITHIN_MS, timeoutMs = SETTLED_TIMEOUT_MS } = {}) {
      const until = Date.now() + timeoutMs
      for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
        // A job that was added during its run is delayed for a moment, and then runs again.
        const { isIdle, runs } = activity()
        const busy = await reach(name, 'count jobs', () => storage.busy(queue, Date.now() + withinMs))
        if (isIdle && busy === 0 && activity().runs === runs) return runs
        if (Date.now() > until) {
          const left = JSON.stringify(await reader.counts())
          throw new QueueNotSettled(`The queue ${name} still has work: ${left}.`)
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    },
  }
  return reader
}

/** PostgreSQL refuses a NUL character, so no job has such an id. */
async function findJob(queue: BullQueue, id: string): Promise<Job | undefined> {
  return id.includes('\0') ? undefined : queue.getJob(id)
}

async function storedJob<T>(job: Job): Promise<StoredJob<T>> {
  const state = await job.getState()
  const isDelayed = state === 'delayed'
  return {
    id: String(job.id),
    data: decodeData(job.data) as T,
    state: state === 'waiting-children' ? 'unknown' : state,
    attempts: job.attemptsMade,
    addedAt: job.timestamp,
    runsAt: isDelayed ? (job.processedOn ?? job.timestamp) + job.delay : undefined,
    failure: (isDelayed && readRuns(job.progress).reason) || job.failedReason || undefined,
  }
}

const reach = <R>(queueName: string, what: string, ask: () => Promise<R>): Promise<R> =>
  available(`The queue ${queueName} could not ${what}`, ask)
