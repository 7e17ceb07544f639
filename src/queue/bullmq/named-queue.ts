// One named queue: adds, retries, promotes, cleans and pauses jobs.
import { randomUUID } from 'node:crypto'
import type { Queue as BullQueue, Job, JobsOptions } from 'bullmq'
import { JobNotRetryable } from '../errors.ts'
import type { JobQueue, NewJob } from '../types.ts'
import { NO_RUNS } from './attempts.ts'
import { keyOf, LIMITER, type QueueBackend, storedAs } from './backend.ts'
import { decodeData, encodeData } from './job-data.ts'
import { createQueueReader, findJob, reach } from './read-queue.ts'

/** Each job may hold a body of megabytes. */
const CLEANED_AT_ONCE = 5

/** The caller closes `queue`. */
export function bullmqJobQueue<T>(queue: BullQueue, backend: QueueBackend): JobQueue<T> {
  const { name } = queue
  const add = createAdd<T>(queue, backend)
  return {
    name,
    add,
    ...createQueueReader<T>(queue, backend.storage),
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
    if (job.id !== undefined && !isUsableId(job.id))
      throw new TypeError(`A job id may not contain ":" nor be a number, but it is "${job.id}".`)
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

function jobOptions(
  { id, deduplicationKey, delayMs, priority }: NewJob<unknown>,
  backend: Pick<QueueBackend, 'kind'>,
): JobsOptions {
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

function isUsableId(id: string): boolean {
  return id !== '' && !id.includes(':') && String(Number.parseInt(id, 10)) !== id
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
