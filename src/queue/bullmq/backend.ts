// What a backend (Redis, PostgreSQL) provides: BullMQ's queues and workers, and what BullMQ does not offer.
import type {
  Queue as BullQueue,
  Worker as BullWorker,
  Job,
  JobsOptions,
  Processor,
  QueueOptions,
  WorkerOptions,
} from 'bullmq'
import type { Backlog, OldestJobs, Queues, StoreConnection, StoreSpace } from '../types.ts'
import { ATTEMPTS } from './attempts.ts'

/** Opened by redis/backend.ts, postgres/backend.ts and postgres/embedded-backend.ts. */
export interface QueueBackend {
  kind: Queues['kind']
  connection: StoreConnection
  queue(name: string, options?: Pick<QueueOptions, 'telemetry'>): BullQueue
  /** `close` frees what the worker alone holds; it also ends a worker that hangs. */
  worker(
    name: string,
    processor: Processor,
    options: Omit<WorkerOptions, 'connection'>,
  ): { worker: BullWorker; close(): Promise<void> }
  /**
   * Whether a job was added under this key while another of the key ran; forgets it. BullMQ looks only when that job
   * finishes.
   */
  takePendingAdd(queueName: string, key: string): Promise<boolean>
  /**
   * How many jobs wait, run, or are due before that time (in milliseconds since the epoch). Counted at one moment: a
   * job may move between two counts of BullMQ.
   */
  busy(queueName: string, before: number): Promise<number>
  /** Resolves when a replica has what was written so far; absent where there is none. */
  replicated?(): Promise<void>
  /** Whether jobs that are done stay for as long as their ids count. Else the ids alone stay, in less memory. */
  keepsDoneJobs: boolean
  /** The name that the job was added with. BullMQ would read its data too, a body of megabytes. */
  nameOf(queueName: string, id: string): Promise<string | undefined>
  /** When the id was added, in milliseconds since the epoch; undefined for one that does not count any more. */
  addedAt(queueName: string, id: string): Promise<number | undefined>
  /** BullMQ counts no bytes. */
  backlog(queueName: string): Promise<Backlog>
  /** BullMQ would read the data of the jobs too. */
  oldest(queueName: string): Promise<OldestJobs>
  /** Throws when the backend does not answer. */
  ping(): Promise<void>
  space(): Promise<StoreSpace>
  close(): Promise<void>
}

/** The backlog measures so many jobs and takes the mean for the rest, so that it never takes long. */
export const MEASURED_AT_MOST = 10_000

/** Of each state, the first so many jobs are asked for their age. */
export const AGED_AT_MOST = 200

const DAY_S = 24 * 60 * 60

/** For so long an id counts: a repeated delivery is recognised. */
export const ID_MS = DAY_S * 1_000

/** So that the add that waits for its answer still finds its job, and people see what was done. */
const DONE_S = 60

/** How many finished jobs of a queue are kept; removed by the workers. */
export const KEPT_JOBS = { completed: 200_000, failed: 20_000 }

export const JOB_OPTIONS: JobsOptions = {
  attempts: ATTEMPTS,
  // The name of the strategy that worker.ts gives to BullMQ.
  backoff: { type: 'exponential-with-jitter' },
  removeOnComplete: { age: DAY_S },
  removeOnFail: { age: 30 * DAY_S },
  stackTraceLimit: 3,
}

/** The options of a job, and of one with this id. */
export function storedAs({ keepsDoneJobs }: Pick<QueueBackend, 'keepsDoneJobs'>, id?: string): JobsOptions {
  if (keepsDoneJobs) return JOB_OPTIONS
  return {
    ...JOB_OPTIONS,
    removeOnComplete: { age: DONE_S },
    // BullMQ keeps a key with a time to live when its job is done.
    ...(id === undefined ? {} : { deduplication: { id, ttl: ID_MS } }),
  }
}

/** The key of a job that may run once at a time; undefined for one that has an id instead. */
export function keyOf(job: Pick<Job, 'id' | 'deduplicationId'>): string | undefined {
  return job.deduplicationId === job.id ? undefined : job.deduplicationId
}

/**
 * The PostgreSQL backend ignores a rate limit set by a job unless the worker has a limiter; this one never limits by
 * itself.
 */
export const LIMITER = { max: 1_000_000, duration: 1_000 }
