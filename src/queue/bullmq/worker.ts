// The worker of one queue: BullMQ's, with events that wake delayed jobs, and a stop that gives jobs back.
import {
  type Queue as BullQueue,
  type WorkerOptions as BullWorkerOptions,
  DelayedError,
  type Job,
  type Processor,
  WaitingError,
  type Worker,
} from 'bullmq'
import { asError, JobTakenOver } from '../errors.ts'
import type { JobHandler, QueueWorker, WorkerOptions } from '../types.ts'
import { NO_RUNS, readRuns } from './attempts.ts'
import { KEPT_JOBS, keyOf, LIMITER, type QueueBackend } from './backend.ts'
import { decodeData } from './job-data.ts'
import type { WorkerActivity } from './named-queue.ts'
import { createJobRunner, GivenUp } from './run-job.ts'
import type { BullmqStorage } from './storage.ts'

const LOCK_MS = 30_000
/** BullMQ counts the stalls of a job's whole life, also before a run began: run-job.ts counts those in a row. */
const STALLED_LIMIT = 1_000_000
/** Runs that end with "later" or a pause count as well, for days perhaps: this only ends what nothing else ends. */
const STARTED_LIMIT = 100_000
/** A busy backend needs time to take many jobs back; one that is away takes none, and their locks expire. */
const GIVE_BACK_MS = 5_000

/** How many jobs may finish before the oldest beyond KEPT_JOBS are removed. */
const REMOVED_EVERY = 1_000

interface CurrentRun {
  job: Job
  token: string
  /** This process got it a second time: it runs again when this run has ended. */
  isDelayed: boolean
  /** Ends the run for BullMQ, after the job was given back: what its handler does from then on has no effect. */
  leave(): void
}

export interface WorkerSetup<T> {
  name: string
  handler: JobHandler<T>
  options: WorkerOptions
  /** 30 s when absent. */
  lockMs?: number
  tracing: Pick<BullWorkerOptions, 'telemetry'>
}

/** A worker that also says whether it is idle. */
export type BullmqWorker = QueueWorker & { activity(): WorkerActivity }

/** Starts to work at once. */
export function bullmqWorker<T>(backend: QueueBackend, setup: WorkerSetup<T>): BullmqWorker {
  const { name, handler, options, lockMs = LOCK_MS } = setup
  const running = new Map<string, CurrentRun>()
  let runs = 0
  let givesBack = false
  const queue = backend.queue(name, setup.tracing)
  const waker = createWaker(queue, backend.storage, options.onError)
  const runJob = createJobRunner({ queue, handler, options, lockMs, wakeIfAdded: waker.wakeIfAdded })

  const processor: Processor = async (job, token = '') => {
    const id = String(job.id)
    const first = running.get(id)
    if (first !== undefined) {
      // The first run still goes on here: this process was frozen for longer than its lock, or that run is just ending.
      await job.moveToDelayed(Date.now() + lockMs, token)
      first.isDelayed = true
      if (running.get(id) !== first) waker.wake(job)
      throw new DelayedError()
    }
    const run: CurrentRun = { job, token, isDelayed: false, leave: () => undefined }
    const left = new Promise<never>((_, reject) => {
      run.leave = () => reject(new WaitingError())
    })
    running.set(id, run)
    runs += 1
    try {
      // BullMQ asked for it before the stop, and got it only now.
      if (givesBack) return await giveBack(run).then(() => left)
      return await Promise.race([left, runJob(job, token)])
    } catch (thrown) {
      if (!(thrown instanceof JobTakenOver)) throw thrown
      options.onError(thrown, id)
      // Tells BullMQ that the job is not this run's to finish.
      throw new DelayedError()
    } finally {
      running.delete(id)
      if (run.isDelayed) waker.wake(job)
    }
  }

  const { worker, close } = backend.worker(name, processor, {
    ...setup.tracing,
    concurrency: options.concurrency,
    limiter: LIMITER,
    // How long a stop may wait for a pause that began during it.
    maximumRateLimitDelay: 1_000,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: STALLED_LIMIT,
    maxStartedAttempts: STARTED_LIMIT,
    settings: {
      backoffStrategy: (_attempt, _type, _error, job) => Math.max(1, readRuns(job?.progress).dueAt - Date.now()),
    },
  })
  let stopping: Promise<void> | undefined
  worker.on('error', (error) => {
    if (stopping === undefined) options.onError(error)
  })
  worker.on('failed', (job) => job && waker.wakeIfAdded(job))
  reportFailures(worker, options)
  limitFinished(worker, queue, options)

  async function stop(withinMs: number): Promise<void> {
    const closing = worker.close().then(waker.finished)
    const inTime = await Promise.race([closing.then(() => true), passed(withinMs)])
    // Jobs that still run are given back now, so that no other process has to wait for their locks to expire.
    givesBack = !inTime
    const givenBack = inTime ? [] : [...running.values()].map(giveBack)
    await Promise.race([Promise.allSettled([...givenBack, closing]), passed(GIVE_BACK_MS)])
    await Promise.race([close(), passed(1_000)])
  }

  return {
    activity: () => ({ runs, isIdle: running.size === 0 && waker.isIdle() }),
    stop(withinMs) {
      stopping ??= stop(withinMs)
      return stopping
    },
  }
}

function reportFailures(worker: Worker, { onError, onFailed }: WorkerOptions): void {
  worker.on('failed', (job, error) => {
    const data = job === undefined ? undefined : decodeData(job.data)
    if (!(error instanceof GivenUp)) onError(error.cause === undefined ? error : asError(error.cause), job?.id, data)
    // A job that is retried has not finished.
    if (job === undefined || typeof job.finishedOn !== 'number') return
    onFailed?.({ id: String(job.id), data, reason: error.message, failedAt: job.finishedOn })
  })
}

function limitFinished(worker: Worker, queue: BullQueue, { onError }: WorkerOptions): void {
  let finished = 0
  const count = () => {
    finished += 1
    if (finished % REMOVED_EVERY === 0) removeOldest(queue, KEPT_JOBS).catch((thrown) => onError(asError(thrown)))
  }
  worker.on('completed', count)
  worker.on('failed', count)
}

/**
 * Not by a `count` in the job options: with it the PostgreSQL backend looks at all finished jobs whenever one more
 * finishes.
 */
export async function removeOldest(queue: BullQueue, kept: typeof KEPT_JOBS): Promise<void> {
  for (const state of ['completed', 'failed'] as const) {
    const excess = (await queue.getJobCountByTypes(state)) - kept[state]
    if (excess > 0) await queue.clean(0, excess, state)
  }
}

/** The process ends in order, not because of this job. */
async function giveBack({ job, token, leave }: CurrentRun): Promise<void> {
  const runs = readRuns(job.progress)
  if (runs.crashes > 0) await job.updateProgress({ ...NO_RUNS, dueAt: runs.dueAt })
  await job.moveToWait(token)
  leave()
}

function createWaker(queue: BullQueue, storage: BullmqStorage, onError: WorkerOptions['onError']) {
  const pending = new Set<Promise<void>>()

  /**
   * Not within the run: a job that starts again before BullMQ has finished its last run would lose the renewal of its
   * lock.
   */
  function afterRun(job: Job, does: () => Promise<void>): void {
    const done = new Promise((resolve) => setImmediate(resolve))
      .then(does)
      .catch((thrown) => onError(asError(thrown), job.id))
    pending.add(done)
    void done.finally(() => pending.delete(done))
  }

  async function promote(job: Job): Promise<void> {
    if (!(await job.isDelayed())) return
    await job.promote().catch(async (thrown) => {
      // Otherwise someone else woke it in between.
      if (await job.isDelayed()) throw thrown
    })
  }

  return {
    /** BullMQ stores an add during a run, but looks for it only when the job finishes, not when it is delayed. */
    wakeIfAdded(job: Job): void {
      const key = keyOf(job)
      if (key === undefined) return
      afterRun(job, async () => {
        if ((await job.isDelayed()) && (await storage.takePendingAdd(queue, key))) await promote(job)
      })
    },
    wake: (job: Job) => afterRun(job, () => promote(job)),
    isIdle: () => pending.size === 0,
    /** Resolves when all wakes so far are done. */
    finished: () => Promise.all(pending),
  }
}

function passed(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref())
}
