// One named line of jobs, over a BullMQ queue.
import { randomUUID } from 'node:crypto'
import type { Queue as BullQueue, Job, JobType } from 'bullmq'
import { NO_TALLY } from './attempts.ts'
import { placeBody, readData } from './body-apart.ts'
import { type BullStore, LIMITER } from './bullmq-store.ts'
import { asError, JobNotRetryable, JobOfNewerVersion, LaneNotSettled, QueueUnavailable } from './errors.ts'
import { decodeData, encodeData, isNewer } from './job-data.ts'
import type { Lane, NewJob, StoredJob } from './types.ts'

// The jobs that wait in a paused lane are counted apart on PostgreSQL, though BullMQ's types do not name that state.
const COUNTED = ['waiting', 'paused', 'prioritized', 'active', 'delayed', 'failed', 'completed'] as JobType[]
const SETTLED_WITHIN_MS = 2_000
const SETTLED_TIMEOUT_MS = 30_000
const SLOWEST_POLL_MS = 100
/** Each may hold a body of megabytes. */
const SHED_AT_ONCE = 5

type AskedStore = Pick<BullStore, 'jobOptions' | 'addPrioritized' | 'busy' | 'nameOf' | 'replaceData' | 'readApart' | 'backlog' | 'oldest'>

/** Opens the lane; `queue` is closed by whoever made it, the store is asked what BullMQ does not tell. */
export function bullmqLane<T>(queue: BullQueue, store: AskedStore): Lane<T> {
  const name = queue.name
  const addPrioritized = store.addPrioritized?.(name)

  async function add(job: NewJob<T>): Promise<{ id: string; added: boolean }> {
    if (job.id !== undefined && !isUsableId(job.id))
      throw new TypeError(`A job's id may not contain ":" nor be a number, but it is "${job.id}".`)
    const { id: ownId, priority } = job
    if (addPrioritized !== undefined && ownId !== undefined && priority && job.oneAtATime === undefined && !job.delayMs) {
      const { body } = job
      const told = body === undefined ? { name: ownId, data: encodeData(job.data) } : placeBody(job.data, body)
      const prioritized = { id: ownId, priority, ...told }
      return { id: ownId, added: await reach(name, 'add a job', () => addPrioritized(prioritized)) }
    }
    // BullMQ answers the same for a job that was added and for one that was dropped; the name, which only the first add writes, tells them apart.
    const ticket = randomUUID()
    const jobId = ownId ?? (job.oneAtATime === undefined ? undefined : ticket)
    const options = { ...store.jobOptions, ...(jobId === undefined ? {} : { jobId }), ...keyOptions(job), ...orderOptions(job) }
    return reach(name, 'add a job', async () => {
      const data = job.body === undefined ? job.data : { ...job.data, body: job.body.toString('utf8') }
      const added = await queue.add(ticket, encodeData(data), options)
      const id = String(added.id)
      if (job.id === undefined) {
        const isNew = jobId === undefined || id === jobId
        if (!isNew && !job.delayMs) await lift(id, job.priority ?? 0)
        return { id, added: isNew }
      }
      return { id, added: (await store.nameOf(name, id)) === ticket }
    })
  }

  /** BullMQ wakes a job that is delayed, but one that waits far back would stay there. */
  async function lift(id: string, priority: number): Promise<void> {
    const job = await queue.getJob(id)
    if (job === undefined || job.priority <= priority) return
    await job.changePriority({ priority }).catch(async (thrown) => {
      // Done and gone in between.
      if ((await queue.getJob(id)) !== undefined) throw thrown
    })
  }

  async function stored(job: Job): Promise<StoredJob<T>> {
    const state = await job.getState()
    return {
      id: String(job.id),
      data: decodeData(job) as T,
      state: state === 'waiting-children' ? 'unknown' : state,
      attempts: job.attemptsMade,
      addedAt: job.timestamp,
      ...(job.failedReason ? { failure: job.failedReason } : {}),
    }
  }

  /** No store holds an id with a NUL, and PostgreSQL refuses to be asked for one. */
  const jobOf = async (id: string): Promise<Job | undefined> => (id.includes('\0') ? undefined : queue.getJob(id))

  async function counts() {
    const found = await reach(name, 'count jobs', () => queue.getJobCounts(...COUNTED))
    return {
      waiting: (found.waiting ?? 0) + (found.paused ?? 0) + (found.prioritized ?? 0),
      active: found.active ?? 0,
      delayed: found.delayed ?? 0,
      failed: found.failed ?? 0,
      completed: found.completed ?? 0,
    }
  }

  /** Undefined when there is no such job among the failed. */
  const failed = (id: string) =>
    reach(name, 'read a job', async () => {
      const job = await jobOf(id)
      return (await job?.getState()) === 'failed' ? job : undefined
    })

  async function retry(id: string): Promise<void> {
    const job = await failed(id)
    const refusal = () => new JobNotRetryable(`Job ${id} of ${name} is not among the failed ones.`)
    if (job === undefined) throw refusal()
    // Added again it would be one of this version.
    if (isNewer(job.data)) throw new JobNotRetryable(new JobOfNewerVersion(id).message)
    if (job.deduplicationId === undefined) {
      const putBack = reach(name, 'retry a job', async () => {
        await job.updateProgress({ ...NO_TALLY })
        await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
      })
      return putBack.catch(async (thrown) => {
        // Someone else was faster.
        throw (await failed(id)) === undefined ? refusal() : thrown
      })
    }
    // A failed job has given up its key: put back as it is, it could run beside another of that key. A new add takes its turn.
    await add({ data: decodeData(job) as T, oneAtATime: job.deduplicationId, ...(job.priority ? { priority: job.priority } : {}) })
    await reach(name, 'remove a job', () => queue.remove(id))
  }

  async function promote(id: string): Promise<void> {
    const job = await reach(name, 'read a job', () => jobOf(id))
    if (job === undefined || (await reach(name, 'read a job', () => job.getState())) !== 'delayed')
      throw new JobNotRetryable(`Job ${id} of ${name} is not among the delayed ones.`)
    await reach(name, 'promote a job', () => job.promote())
  }

  async function shed(olderThanMs: { completed: number; failed: number }, lighten: (data: T) => T | undefined): Promise<void> {
    await queue.clean(olderThanMs.completed, 0, 'completed')
    const before = Date.now() - olderThanMs.failed
    for (let from = 0; ; from += SHED_AT_ONCE) {
      const jobs = await queue.getJobs(['failed'], from, from + SHED_AT_ONCE - 1, true)
      for (const job of jobs) {
        if (job === undefined || isNewer(job.data) || (job.finishedOn ?? job.timestamp) > before) continue
        const data = await readData(job, store.readApart)
        // Somebody else sheds as well.
        if (data === undefined) continue
        const lighter = lighten(data as T)
        if (lighter !== undefined) await store.replaceData(job, encodeData(lighter)).catch(ignoreIfGone(queue, String(job.id)))
      }
      if (jobs.length < SHED_AT_ONCE) return
    }
  }

  async function settled(options: { withinMs?: number; timeoutMs?: number } = {}): Promise<void> {
    const until = Date.now() + (options.timeoutMs ?? SETTLED_TIMEOUT_MS)
    for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
      const soon = Date.now() + (options.withinMs ?? SETTLED_WITHIN_MS)
      if ((await reach(name, 'count jobs', () => store.busy(name, soon))) === 0) return
      if (Date.now() > until) throw new LaneNotSettled(`The lane ${name} still has work: ${JSON.stringify(await counts())}.`)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  return {
    name,
    add,
    every: (id, everyMs, data) =>
      reach(name, 'set a schedule', async () => {
        if (everyMs <= 0) return void (await queue.removeJobScheduler(id))
        const template = { name: id, data: encodeData(data), opts: store.jobOptions }
        await queue.upsertJobScheduler(id, { every: everyMs, startDate: Date.now() + everyMs }, template)
      }),
    get: (id) =>
      reach(name, 'read a job', async () => {
        const job = await jobOf(id)
        return job === undefined ? undefined : stored(job)
      }),
    list: (states, from, count) =>
      reach(name, 'list jobs', async () => {
        if (count < 1) return []
        const types = states.filter((state) => state !== 'unknown') as JobType[]
        // Each state is a line of its own: the newest of all are among the newest of each. Of one alone nothing before the page is read.
        const before = types.length === 1 ? from : 0
        const jobs = (await queue.getJobs(types, before, from + count - 1, false)).filter((job) => job !== undefined)
        jobs.sort((a, b) => b.timestamp - a.timestamp)
        return Promise.all(jobs.slice(from - before, from - before + count).map(stored))
      }),
    counts,
    backlog: () => reach(name, 'measure the backlog', () => store.backlog(name)),
    oldest: () => reach(name, 'find its oldest jobs', () => store.oldest(name)),
    retry,
    remove: (id) => reach(name, 'remove a job', async () => void (await queue.remove(id))),
    promote,
    shed: (olderThanMs, lighten) => reach(name, 'shed old jobs', () => shed(olderThanMs, lighten)),
    pause: () => reach(name, 'pause the lane', () => queue.pause()),
    resume: () => reach(name, 'resume the lane', () => queue.resume()),
    isPaused: () => reach(name, 'ask whether it is paused', () => queue.isPaused()),
    rest: (forMs) => reach(name, 'rest the lane', () => restLane(queue, forMs)),
    settled,
  }
}

/** A delayed add never moves a job that is there already: only an event, which has no delay, wakes it. */
function keyOptions(job: NewJob<unknown>) {
  if (job.oneAtATime === undefined) return {}
  return { deduplication: { id: job.oneAtATime, keepLastIfActive: true, reschedule: !job.delayMs } }
}

function orderOptions(job: NewJob<unknown>) {
  return { ...(job.delayMs ? { delay: job.delayMs } : {}), ...(job.priority === undefined ? {} : { priority: job.priority }) }
}

function isUsableId(id: string): boolean {
  return id !== '' && !id.includes(':') && String(Number.parseInt(id, 10)) !== id
}

/** A rest never shortens a longer one that another job has asked for. */
export async function restLane(queue: BullQueue, forMs: number): Promise<void> {
  await queue.rateLimit(Math.max(forMs, await queue.getRateLimitTtl(LIMITER.max), 1))
}

/** A job that was removed in between needs no other data. */
function ignoreIfGone(queue: BullQueue, id: string): (thrown: unknown) => Promise<void> {
  return async (thrown) => {
    if ((await queue.getJob(id)) !== undefined) throw thrown
  }
}

async function reach<R>(lane: string, what: string, ask: () => Promise<R>): Promise<R> {
  try {
    return await ask()
  } catch (thrown) {
    const cause = asError(thrown)
    throw new QueueUnavailable(`The queue could not ${what} in ${lane}: ${cause.message}`, { cause })
  }
}
