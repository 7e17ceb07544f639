// The queue as the rest of the house sees it: lanes of small JSON jobs, kept durable by a store. Only this room knows BullMQ.

/** One job as read back: `state` is BullMQ's word for where it stands. */
export interface StoredJob<T> {
  id: string
  /** A body that stands beside its job (a large one, over Redis) is not in it: nobody who looks at jobs needs it, and it may have megabytes. */
  data: T
  state: 'waiting' | 'active' | 'delayed' | 'completed' | 'failed' | 'prioritized' | 'paused' | 'unknown'
  attempts: number
  /** Milliseconds since the epoch. */
  addedAt: number
  failure?: string
}

export interface NewJob<T> {
  data: T
  /** The text that `data.body` is to be, in UTF-8: kept as it is where the store can, without a turn as JSON. `data` itself has an empty text there. */
  body?: Buffer
  /** Adding an id that is still kept is silently dropped: this is how a doubled delivery is added once. May not contain ':' nor be a number (TypeError). */
  id?: string
  /**
   * One running and at most one waiting job per key; adding without a delay also wakes one that waits in a delay or back-off, also when it
   * was added while that one still ran, and lifts it to its own priority if that is lower. A delayed add leaves one that waits as it is.
   */
  oneAtATime?: string
  /** Milliseconds from now; none means at once. */
  delayMs?: number
  /** 1 (first) to 2,097,151 (last); none goes before all. */
  priority?: number
}

/** What a job's handler says; only a throw costs an attempt and is retried with back-off. */
export type JobResult =
  /** `leaves`: what the job, whose id is known for a day, holds from now on; a run that is broken off here begins anew with it. */
  | { outcome: 'done'; leaves?: unknown }
  /** Judge again later; costs no attempt, and those before it are forgotten, unless `keepsTries`: nothing has shown yet that their trouble is over. */
  | { outcome: 'later'; delayMs: number; reason: string; keepsTries?: true }
  /** The whole lane pauses (a rate limit, an outage), the job goes back in line; costs no attempt, and those before it are forgotten. */
  | { outcome: 'pause'; delayMs: number; reason: string }
  /** Cannot heal: into the failed set at once, where it can be replayed. */
  | { outcome: 'failed'; reason: string }

export interface RunningJob<T> {
  id: string
  data: T
  attempt: number
  /** No run of it was begun before: it has neither failed nor waited, was not put back, and ended no process. */
  isFirst: boolean
  addedAt: number
  /**
   * Makes sure that the job is still this run's, and throws JobTakenOver where another may have it, because this process was frozen. To be
   * awaited right before everything that must not be done twice; mostly it takes no time. True when the store had to be asked, which may have
   * taken long. Throws QueueUnavailable where it does not answer.
   */
  claim: () => Promise<boolean>
}

export type JobHandler<T> = (job: RunningJob<T>) => Promise<JobResult>

export interface WorkerOptions {
  concurrency: number
  /** How often a throwing handler is tried in all, 16 when absent; a try that an event woke before its time does not count. */
  attempts?: number
  /** The wait after the first throw, 1 s when absent; it doubles with each, up to an hour, less up to half of it by chance. */
  backoffMs?: number
  /** Told of each error of the worker itself (a lost connection) and of each failed attempt. */
  onError: (error: Error, jobId?: string) => void
  /** Told of each job that is among the failed now: it was given up, or tried too often. */
  onFailed?: (job: FailedJob) => void
}

export interface FailedJob {
  id: string
  /** A body that stands beside its job (a large one, over Redis) is not in it. */
  data: unknown
  reason: string
  /** Milliseconds since the epoch. */
  failedAt: number
}

/** A named line of jobs. Every method throws QueueUnavailable when the store cannot be reached in about a second. */
export interface Lane<T> {
  readonly name: string
  /** Resolves when the job is durable. `added` is false when the id was already kept, or when a job of that key runs or waits (which it wakes). */
  add(job: NewJob<T>): Promise<{ id: string; added: boolean }>
  /**
   * Adds a job of this data every `everyMs`, the first one a period from now: one schedule per id over all processes, which outlives them.
   * Said again it goes on as it was, with a new period it begins anew; 0 ends it. A turn that was missed while nobody worked is made up for once.
   */
  every(id: string, everyMs: number, data: T): Promise<void>
  get(id: string): Promise<StoredJob<T> | undefined>
  /** Newest first. */
  list(states: StoredJob<T>['state'][], from: number, count: number): Promise<StoredJob<T>[]>
  counts(): Promise<Record<'waiting' | 'active' | 'delayed' | 'failed' | 'completed', number>>
  /** What is still to be run. */
  backlog(): Promise<Backlog>
  /** When the oldest job of each state was added, in milliseconds since the epoch; of very many in one state the oldest of the first two hundred in line. */
  oldest(): Promise<OldestJobs>
  /** Puts a failed job back in line, its attempts counted anew; one with a `oneAtATime` key under a new id. Throws JobNotRetryable when it is not among the failed. */
  retry(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** Lets a delayed job run at once. Throws JobNotRetryable when it is not among the delayed. */
  promote(id: string): Promise<void>
  /**
   * Of the jobs that ended longer ago than so many milliseconds, drops the completed ones and gives the failed ones other data: `lighten` says which,
   * undefined leaves a job as it is. A completed job would otherwise stay until another completes.
   */
  shed(olderThanMs: { completed: number; failed: number }, lighten: (data: T) => T | undefined): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  isPaused(): Promise<boolean>
  /** No worker of any process takes a job for so many milliseconds; never shortens a longer rest. Jobs that run go on. */
  rest(forMs: number): Promise<void>
  /** Resolves when nothing waits, runs, or is delayed by less than `withinMs`; for tests, the demo and a clean stop. `withinMs` is 2 s and `timeoutMs` 30 s when absent; then it throws LaneNotSettled. */
  settled(options?: { withinMs?: number; timeoutMs?: number }): Promise<void>
}

/** Jobs that wait or are delayed, and the bytes of their data as the store keeps them (PostgreSQL: packed); of very many, by the mean of ten thousand. */
export interface Backlog {
  jobs: number
  bytes: number
}

/** Absent where no job is in that state. */
export type OldestJobs = Partial<Record<'waiting' | 'active' | 'delayed' | 'failed', number>>

export interface LaneWorker {
  /** Stops taking jobs and waits for the running ones, at most `withinMs`; the rest is released and runs again elsewhere. */
  stop(withinMs: number): Promise<void>
}

/** An open store of jobs. */
export interface Queue {
  readonly kind: 'embedded' | 'redis' | 'postgres'
  lane<T>(name: string): Lane<T>
  work<T>(name: string, handler: JobHandler<T>, options: WorkerOptions): LaneWorker
  /** Throws QueueUnavailable when the store does not answer. */
  ping(): Promise<void>
  /** How full the store is. Throws QueueUnavailable when it does not answer. */
  space(): Promise<StoreSpace>
  /** The connection for the journal, which lives in the same store. */
  readonly store: StoreConnection
  close(): Promise<void>
}

/** In bytes; absent is what the store does not say. */
export interface StoreSpace {
  /** `limit` is what it may use, or all that its machine has where nothing limits it. */
  memory?: { used: number; limit: number }
  /** What is free on the disk of an embedded queue. */
  freeDisk?: number
}

/** The part of ioredis that the journal uses, or of a pg.Pool (PGlite behind the same shape). */
export type StoreConnection = { kind: 'redis'; redis: import('ioredis').Redis; prefix: string } | { kind: 'postgres'; pool: SqlPool }

/** The pg.Pool shape that BullMQ and the journal need; a client holds the session from BEGIN to COMMIT or ROLLBACK (or its release, which rolls back). */
export interface SqlPool {
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
  connect(): Promise<SqlClient>
  end(): Promise<void>
}
export interface SqlClient {
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
  release(): void
}
