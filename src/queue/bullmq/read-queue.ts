// Reads a queue: its jobs, counts and backlog, and whether it is settled.
import type { Queue as BullQueue, Job, JobType } from 'bullmq'
import { asError, QueueNotSettled, QueueUnavailable } from '../errors.ts'
import type { Backlog, JobQueue, OldestJobs, StoredJob } from '../types.ts'
import { ID_MS } from './backend.ts'
import { decodeData } from './job-data.ts'
import type { BullmqStorage } from './storage.ts'

// On PostgreSQL the jobs of a paused queue have a state of their own, which BullMQ's types do not name.
const COUNTED = ['waiting', 'paused', 'prioritized', 'active', 'delayed', 'failed', 'completed'] as JobType[]
const SETTLED_WITHIN_MS = 2_000
const SETTLED_TIMEOUT_MS = 30_000
const SLOWEST_POLL_MS = 100

/** The backlog measures only the first so many waiting and so many delayed jobs, so that it never takes long. */
const MEASURED_AT_MOST = 1_000

/** So many jobs of each state are asked for their age. */
const AGED_AT_MOST = 200

export type QueueReader<T> = Pick<JobQueue<T>, 'get' | 'addedAt' | 'list' | 'counts' | 'backlog' | 'oldest' | 'settled'>

export function createQueueReader<T>(queue: BullQueue, storage: BullmqStorage): QueueReader<T> {
  const { name } = queue

  async function get(id: string): Promise<StoredJob<T> | undefined> {
    const job = await findJob(queue, id)
    return job === undefined ? undefined : storedJob(job)
  }

  async function addedAt(id: string): Promise<number | undefined> {
    if (id.includes('\0')) return undefined
    const job = await storage.head(queue, id)
    if (job !== undefined || storage.idTtlMs === undefined) return job?.addedAt
    const ttlMs = await storage.idTtlMs(queue, id)
    return ttlMs < 0 ? undefined : Date.now() - (ID_MS - ttlMs)
  }

  async function list(states: StoredJob<T>['state'][], from: number, count: number): Promise<StoredJob<T>[]> {
    if (count < 1) return []
    const types = states.filter((state) => state !== 'unknown') as JobType[]
    // BullMQ pages each state separately: the newest of all states are among the newest of each.
    const first = types.length === 1 ? from : 0
    const jobs = (await queue.getJobs(types, first, from + count - 1, false)).filter((job) => job !== undefined)
    jobs.sort((a, b) => b.timestamp - a.timestamp)
    return Promise.all(jobs.slice(from - first, from - first + count).map((job) => storedJob<T>(job)))
  }

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

  async function backlog(): Promise<Backlog> {
    const states = ['waiting', 'delayed'] as const
    const lines = await Promise.all(states.map((state) => storage.first(queue, state, MEASURED_AT_MOST)))
    const measured = lines.flat()
    const bytes = measured.reduce((sum, job) => sum + job.bytes, 0)
    if (lines.every(({ length }) => length < MEASURED_AT_MOST)) return { jobs: measured.length, bytes }
    const { waiting, delayed } = await counts()
    const jobs = waiting + delayed
    return { jobs, bytes: Math.round(bytes * (jobs / measured.length)) }
  }

  async function oldest(): Promise<OldestJobs> {
    const found: OldestJobs = {}
    const find = async (state: keyof OldestJobs) => {
      const jobs = await storage.first(queue, state, AGED_AT_MOST)
      if (jobs.length > 0) found[state] = Math.min(...jobs.map((job) => job.addedAt))
    }
    await Promise.all([find('waiting'), find('active'), find('delayed'), find('failed')])
    return found
  }

  async function settled(options: { withinMs?: number; timeoutMs?: number } = {}): Promise<void> {
    const until = Date.now() + (options.timeoutMs ?? SETTLED_TIMEOUT_MS)
    for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
      const soon = Date.now() + (options.withinMs ?? SETTLED_WITHIN_MS)
      if ((await reach(name, 'count jobs', () => storage.busy(queue, soon))) === 0) return
      if (Date.now() > until)
        throw new QueueNotSettled(
          `The queue ${name} still has work: ${JSON.stringify(await reach(name, 'count jobs', counts))}.`,
        )
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  return {
    get: (id) => reach(name, 'read a job', () => get(id)),
    addedAt: (id) => reach(name, 'find an id', () => addedAt(id)),
    list: (states, from, count) => reach(name, 'list jobs', () => list(states, from, count)),
    counts: () => reach(name, 'count jobs', counts),
    backlog: () => reach(name, 'measure the backlog', backlog),
    oldest: () => reach(name, 'find the oldest jobs', oldest),
    settled,
  }
}

/** PostgreSQL refuses a NUL character, so no job has such an id. */
export async function findJob(queue: BullQueue, id: string): Promise<Job | undefined> {
  return id.includes('\0') ? undefined : queue.getJob(id)
}

async function storedJob<T>(job: Job): Promise<StoredJob<T>> {
  const state = await job.getState()
  return {
    id: String(job.id),
    data: decodeData(job.data) as T,
    state: state === 'waiting-children' ? 'unknown' : state,
    attempts: job.attemptsMade,
    addedAt: job.timestamp,
    failure: job.failedReason || undefined,
  }
}

/** Turns every error into QueueUnavailable. */
export async function reach<R>(queueName: string, what: string, ask: () => Promise<R>): Promise<R> {
  try {
    return await ask()
  } catch (thrown) {
    const cause = asError(thrown)
    throw new QueueUnavailable(`The queue ${queueName} could not ${what}: ${cause.message}`, { cause })
  }
}
