// What a store of jobs gives to the BullMQ-backed queue: queues, workers, and what BullMQ itself does not offer.
import type { Queue as BullQueue, Worker as BullWorker, Job, JobsOptions, Processor, WorkerOptions } from 'bullmq'
import type { ReadApart } from './body-apart.ts'
import type { Backlog, OldestJobs, Queue, StoreConnection, StoreSpace } from './types.ts'

/** A job with an id of its own and a priority, and neither a delay nor a key; `data` as it is stored, `name` may be its body (job-data.ts). */
export interface PrioritizedJob {
  id: string
  name: string | Buffer
  data: unknown
  priority: number
  /** A body that stands beside it. */
  log?: Buffer
}

/** Gives a job other data; a body that was its name, or stood beside it, goes in the same moment. Throws where the job is gone. */
export type ReplaceData = (job: Job, data: unknown) => Promise<void>

/** One open store; made by redis.ts, postgres.ts and embedded.ts. */
export interface BullStore {
  kind: Queue['kind']
  /** What every job is added with. */
  jobOptions: JobsOptions
  connection: StoreConnection
  queue(name: string): BullQueue
  /** `close` frees what the worker alone holds; it also ends a worker that hangs. `replaceData` and `readApart` wait for the store as the worker does. */
  worker(
    name: string,
    processor: Processor,
    options: Omit<WorkerOptions, 'connection'>,
  ): { worker: BullWorker; replaceData: ReplaceData; readApart: ReadApart; close(): Promise<void> }
  /**
   * Takes note and forgets that a job was added under this key while another of the key ran. BullMQ looks at that note only when the
   * running job finishes, not when it is delayed: without this an event would wait as long as the job that it should wake.
   */
  takePendingAdd(lane: string, key: string): Promise<boolean>
  /** How many wait, run, or are delayed until before that time, all at one moment: BullMQ counts them apart, and a job may go from one to the other. */
  busy(lane: string, before: number): Promise<number>
  /** The name that the job was added with, which tells its add from others; asked only where it is no body. */
  nameOf(lane: string, id: string): Promise<string | undefined>
  replaceData: ReplaceData
  readApart: ReadApart
  /** How such jobs are added to a lane: false where the id is still kept. Absent where BullMQ's own add is as fast. */
  addPrioritized?(lane: string): (job: PrioritizedJob) => Promise<boolean>
  /** Drops the oldest of the ended jobs beyond KEPT; absent where BullMQ does so by the job's options. */
  dropOldest?(lane: string, kept: typeof KEPT): Promise<void>
  /** Counts and measures what waits or is delayed; BullMQ only counts. */
  backlog(lane: string): Promise<Backlog>
  /** When the oldest of each state was added; BullMQ would read the data of each as well. */
  oldest(lane: string): Promise<OldestJobs>
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  space(): Promise<StoreSpace>
  close(): Promise<void>
}

/** So many jobs are measured; what more of them wait counts as the mean of these, so that a look never takes long. */
export const MEASURED_AT_MOST = 10_000

/** Of each state the first so many in line are asked how old they are. */
export const AGED_AT_MOST = 200

export const DAY_S = 24 * 60 * 60

/** Which back-off the workers' own strategy computes; see bullmq-worker.ts. */
const BACKOFF_TYPE = 'exponential-with-jitter'

/** So many ended jobs of a lane are kept. */
export const KEPT = { completed: 200_000, failed: 20_000 }

/** The worker counts attempts, so that they can be set where the handler is; BullMQ's own limit is out of the way. */
export const JOB_OPTIONS: JobsOptions = {
  attempts: 1_000_000,
  backoff: { type: BACKOFF_TYPE },
  // A kept id is what makes a doubled delivery count once within its day.
  removeOnComplete: { age: DAY_S, count: KEPT.completed },
  removeOnFail: { age: 30 * DAY_S, count: KEPT.failed },
  stackTraceLimit: 3,
}

/** Every worker needs a limiter, or the PostgreSQL backend ignores a pause; this one never limits by itself. */
export const LIMITER = { max: 1_000_000, duration: 1_000 }
