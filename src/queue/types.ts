// The queue as the rest of the code sees it: named queues of JSON jobs. Only this module imports BullMQ.

export interface StoredJob<T> {
  id: string
  data: T
  /** As BullMQ names it. */
  state: 'waiting' | 'active' | 'delayed' | 'completed' | 'failed' | 'prioritized' | 'paused' | 'unknown'
  attempts: number
  /** Milliseconds since the epoch. */
  addedAt: number
  /** Of a delayed job: about when it runs, in milliseconds since the epoch. */
  runsAt?: number
  /** Why the last attempt failed; of a delayed job, why it waits. */
  failure?: string
}

export interface NewJob<T> {
  data: T
  /**
   * An add with an id that was added within a day, or whose job is stored, does nothing, so that a repeated delivery
   * runs once. May not contain ':' nor be a number (TypeError).
   */
  id?: string
  /**
   * At most one job of a key runs, and at most one waits. An add without a delay ends the delay or back-off of the
   * waiting job and raises its priority; after an add during a run, the job runs again. An add with a delay changes
   * nothing if a job waits.
   */
  deduplicationKey?: string
  /** From now; at once when absent. */
  delayMs?: number
  /** 1 (first) to 2,097,151 (last); a job without one goes first. */
  priority?: number
  /**
   * Resolve only when a replica of Redis has the job too, if one is online. Throws QueueUnavailable if none confirms
   * in time: the job may run, so add it again with the same id.
   */
  onReplica?: true
}

/** What a handler returns. Only an error that it throws costs an attempt and is retried with back-off. */
export type JobResult =
  /** `newData` replaces the data; a run that is interrupted here starts again with it. */
  | { outcome: 'done'; newData?: unknown }
  /** Run the job again later; costs no attempt. */
  | { outcome: 'later'; delayMs: number; reason: string }
  /** Pause the whole queue (a rate limit, an outage) and run the job again afterwards; costs no attempt. */
  | { outcome: 'pause'; delayMs: number; reason: string }
  /** Retries cannot help: the job fails at once, and a person can retry it. */
  | { outcome: 'failed'; reason: string }

export interface RunningJob<T> {
  id: string
  data: T
  attempt: number
  /** No earlier run of this job was started. */
  isFirst: boolean
  addedAt: number
  /**
   * Await it right before every side effect. Throws JobTakenOver if another worker may run the job because this process
   * was frozen, and QueueUnavailable if the backend does not answer. Returns true if it had to ask the backend, which
   * takes time; mostly it need not.
   */
  claim: () => Promise<boolean>
  /** Replaces the data for later runs and for a job that fails for good. Throws JobTakenOver, and as the backend. */
  replaceData: (newData: unknown) => Promise<void>
}

export type JobHandler<T> = (job: RunningJob<T>) => Promise<JobResult>

export interface WorkerOptions {
  concurrency: number
  /** How often a handler that throws is tried, 16 at most. A retry that an event starts early does not count. */
  attempts?: number
  /** The wait after the first error, 1 s when absent; doubles up to an hour, less a random part of up to half. */
  backoffMs?: number
  /** Receives errors of the worker itself (a lost connection) and of each failed attempt, with the job's data. */
  onError: (error: Error, jobId?: string, data?: unknown) => void
  onFailed?: (job: FailedJob) => void
}

export interface FailedJob {
  id: string
  data: unknown
  reason: string
  /** Milliseconds since the epoch. */
  failedAt: number
}

/** A named queue. Every method throws QueueUnavailable within about a second if the backend cannot be reached. */
export interface JobQueue<T> {
  readonly name: string
  /** Resolves when the job is durable. `added`: false if the id counts, or a job of that key runs or waits. */
  add(job: NewJob<T>): Promise<{ id: string; added: boolean }>
  /**
   * Adds a job with this data every `everyMs`, for the first time after one period. All processes share one schedule
   * per id, which outlives them. The same period again changes nothing, another one starts anew, 0 ends the schedule.
   * Periods missed while no worker ran are made up for by one job.
   */
  schedule(id: string, everyMs: number, data: T): Promise<void>
  /** A job that is done is stored for a minute at least. */
  get(id: string): Promise<StoredJob<T> | undefined>
  /** Newest first. */
  list(states: StoredJob<T>['state'][], from: number, count: number): Promise<StoredJob<T>[]>
  counts(): Promise<Record<'waiting' | 'active' | 'delayed' | 'failed' | 'completed', number>>
  backlog(): Promise<{ jobs: number; bytes: number }>
  /** When the oldest of the first 200 jobs of each state was added, in milliseconds since the epoch. */
  oldest(): Promise<Partial<Record<'waiting' | 'active' | 'delayed' | 'failed', number>>>
  /** Runs a failed job again with all attempts; one with a key gets a new id. Throws JobNotRetryable. */
  retry(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** Runs a delayed job at once. Throws JobNotRetryable if it is not delayed. */
  promote(id: string): Promise<void>
  /**
   * Removes jobs that completed longer ago than so many milliseconds, and replaces the data of jobs that failed longer
   * ago: `replaceData` returns the new data, or undefined to leave a job as it is.
   */
  cleanFinished(
    olderThanMs: { completed: number; failed: number },
    replaceData: (data: T) => T | undefined,
  ): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  isPaused(): Promise<boolean>
  /** No worker of any process takes a job for so long. Running jobs go on; a longer pause stays. */
  pauseFor(forMs: number): Promise<void>
  /**
   * Resolves when no job waits, runs, or is due within `withinMs` (2 s when absent), with how many runs the workers of
   * this process have begun. For tests, the demo and a clean stop. Throws QueueNotSettled after `timeoutMs` (30 s when
   * absent).
   */
  settled(options?: { withinMs?: number; timeoutMs?: number }): Promise<number>
}

export interface QueueWorker {
  /** Waits for running jobs, at most `withinMs`; the others are given back and run again elsewhere. */
  stop(withinMs: number): Promise<void>
}

/** All queues of one backend. */
export interface Queues {
  readonly kind: 'embedded' | 'redis' | 'postgres'
  queue<T>(name: string): JobQueue<T>
  work<T>(name: string, handler: JobHandler<T>, options: WorkerOptions): QueueWorker
  ping(): Promise<void>
  /** How full the backend is. Throws QueueUnavailable if it does not answer. */
  space(): Promise<StoreSpace>
  readonly store: StoreConnection
  close(): Promise<void>
}

/** In bytes; what the backend does not report is absent. */
export interface StoreSpace {
  /** `limit` is Redis' own limit, else the memory of its machine. */
  memory?: { used: number; limit: number }
  /** Free bytes on the disk of an embedded database. */
  freeDisk?: number
}

/** A Redis and the id of its journal, or the pg.Pool for the journal (PGlite has the same shape here). */
export type StoreConnection = { kind: 'redis'; redis: RedisConnection; journalMark: JournalMark } | PostgresStore
/** What a queue in Redis stores of the journal that belongs to it. */
export interface JournalMark {
  key: string
  read(): Promise<string | undefined>
  /** Changes nothing if something is written. */
  writeOnce(text: string): Promise<void>
}
export interface PostgresStore {
  kind: 'postgres'
  pool: SqlPool
  tables: PostgresTables
}

/** The journal's tables. */
export interface PostgresTables {
  /** The schema of the tables, as statements name it: quoted if it is not the default. */
  schema: string
  /** Whether history has a partition for each day: an embedded database is too small to need any. */
  partitioned: boolean
}

export type RedisConnection = import('ioredis').Redis

/** A client has a transaction from BEGIN to COMMIT or ROLLBACK; its release rolls back. */
export interface SqlPool {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>
  connect(): Promise<SqlClient>
  end(): Promise<void>
}
export interface SqlClient extends Pick<SqlPool, 'query'> {
  /** `closes`: the connection is not used again. */
  release(closes?: boolean): void
}
