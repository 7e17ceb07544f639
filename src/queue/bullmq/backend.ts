// What a backend (Redis, PostgreSQL) provides, and the options of its jobs.
import type {
  Queue as BullQueue,
  Worker as BullWorker,
  Job,
  JobsOptions,
  Processor,
  QueueOptions,
  WorkerOptions,
} from 'bullmq'
import type { Queues, StoreConnection, StoreSpace } from '../types.ts'
import { ATTEMPTS } from './attempts.ts'
import type { BullmqStorage } from './storage.ts'

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
  storage: BullmqStorage
  /** Resolves when a replica has what was written so far; absent if there is none. */
  replicated?(): Promise<void>
  /** Throws when the backend does not answer. */
  ping(): Promise<void>
  space(): Promise<StoreSpace>
  close(): Promise<void>
}

const DAY_S = 24 * 60 * 60

/** For so long an id counts: a repeated delivery is recognised. */
const ID_MS = DAY_S * 1_000

/** So that the add that waits for its answer still finds its job, and people see what was done. */
const DONE_S = 60

/** How many finished jobs of a queue stay; the workers remove the others. */
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
export function storedAs({ kind }: Pick<QueueBackend, 'kind'>, id?: string): JobsOptions {
  // In PostgreSQL the id counts for as long as its job is stored: BullMQ never deletes an expired key there.
  if (kind !== 'redis') return JOB_OPTIONS
  return {
    ...JOB_OPTIONS,
    removeOnComplete: { age: DONE_S },
    // BullMQ keeps a key with a time to live when its job is done.
    deduplication: id === undefined ? undefined : { id, ttl: ID_MS },
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
