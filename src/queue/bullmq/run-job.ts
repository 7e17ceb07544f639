// One run of one job: calls the handler and turns its result, or its error, into BullMQ's errors and states.
import { type Queue as BullQueue, DelayedError, type Job, RateLimitError, UnrecoverableError } from 'bullmq'
import { asError, available, JobTakenOver } from '../errors.ts'
import type { JobHandler, JobResult, WorkerOptions } from '../types.ts'
import { ATTEMPTS, backoffMs, crashBackoffMs, FIRST_BACKOFF_MS, NO_RUNS, readRuns } from './attempts.ts'
import { decodeData, encodeData, storableText } from './job-data.ts'
import { pauseQueueFor } from './named-queue.ts'

/** A job that ended or froze its process more often than that in a row is not run again. */
const CRASH_LIMIT = 5

/** The handler's own verdict: nothing to report as an error. */
export class GivenUp extends UnrecoverableError {}

export interface JobRunnerOptions<T> {
  queue: BullQueue
  handler: JobHandler<T>
  options: WorkerOptions
  lockMs: number
  /** Called after the job was delayed: wakes it if a job of its key was added during the run. */
  wakeIfAdded(job: Job): void
}

interface Run {
  job: Job
  token: string
  claim: Claim
  startedAt: number
}

/** Returns what runs a job. It throws what BullMQ's worker expects, or JobTakenOver. */
export function createJobRunner<T>(given: JobRunnerOptions<T>): (job: Job, token: string) => Promise<null> {
  const { queue, handler, options, lockMs, wakeIfAdded } = given
  const firstBackoffMs = options.backoffMs ?? FIRST_BACKOFF_MS

  async function delay(job: Job, token: string, until: number): Promise<never> {
    await job.moveToDelayed(Math.ceil(until), token)
    wakeIfAdded(job)
    throw new DelayedError()
  }

  /** A process ended or froze while it ran this job, perhaps because of it. */
  async function countCrash(job: Job, token: string): Promise<void> {
    const runs = readRuns(job.progress)
    const { crashes, crashesWaited } = runs
    if (crashes >= CRASH_LIMIT)
      throw new UnrecoverableError(`Its process ended or froze ${crashes + 1} times in a row while it ran.`)
    if (crashesWaited === crashes) return job.updateProgress({ ...runs, crashes: crashes + 1 })
    await job.updateProgress({ ...runs, crashesWaited: crashes })
    return delay(job, token, Date.now() + crashBackoffMs(crashes, firstBackoffMs, Math.random()))
  }

  /** This run came to its end, so the crashes before it do not count any more. */
  async function forgetCrashes({ job, claim }: Run): Promise<void> {
    const runs = readRuns(job.progress)
    if (runs.crashes === 0) return
    await claim()
    await job.updateProgress({ ...NO_RUNS, dueAt: runs.dueAt })
  }

  /** False, and reported, if the backend does not store the pause: then this job alone waits. */
  async function pausesFor(forMs: number, job: Job): Promise<boolean> {
    try {
      await pauseQueueFor(queue, forMs)
      return true
    } catch (thrown) {
      options.onError(asError(thrown), job.id)
      return false
    }
  }

  async function settle(run: Run, result: JobResult): Promise<null> {
    const { job, token } = run
    switch (result.outcome) {
      case 'done':
        if (result.newData !== undefined) await job.updateData(encodeData(result.newData))
        return null
      case 'failed':
        throw new GivenUp(storableText(result.reason))
      case 'pause':
        await forgetCrashes(run)
        if (await pausesFor(result.delayMs, job)) throw new RateLimitError()
        return delay(job, token, Date.now() + Math.max(result.delayMs, 0))
      case 'later': {
        await run.claim()
        const { dueAt } = readRuns(job.progress)
        await job.updateProgress({ ...NO_RUNS, dueAt, reason: storableText(result.reason) })
        return delay(job, token, Date.now() + Math.max(result.delayMs, 0))
      }
      default:
        return result satisfies never
    }
  }

  async function fail(run: Run, cause: Error): Promise<never> {
    const { job, token, claim, startedAt } = run
    const { dueAt } = readRuns(job.progress)
    const isEarly = startedAt < dueAt
    const attempt = job.attemptsMade + 1
    const next = isEarly
      ? Math.max(dueAt, Date.now() + 1)
      : Date.now() + backoffMs(attempt, firstBackoffMs, Math.random())
    try {
      await claim()
      await job.updateProgress({ ...NO_RUNS, dueAt: next })
    } catch (error) {
      if (error instanceof JobTakenOver) throw error
      // The backend is away, so it cannot store the failure either: the job runs again when its lock has expired.
      options.onError(asError(error), job.id)
    }
    if (!isEarly) throw failureOf(cause, attempt >= (options.attempts ?? ATTEMPTS))
    options.onError(cause, job.id)
    return delay(job, token, next)
  }

  return async (job, token) => {
    if (job.stalledCounter > 0) await countCrash(job, token)
    const id = String(job.id)
    const startedAt = Date.now()
    const renew = async () => (await job.extendLock(token, lockMs)) === 1
    // Of a job that a process lost before, nothing is taken for granted.
    const grantedAt = job.stalledCounter > 0 ? undefined : job.processedOn
    const run = { job, token, startedAt, claim: createClaim({ job: id, renew, lockMs, grantedAt }) }
    const isEarly = startedAt < readRuns(job.progress).dueAt
    let result: JobResult
    try {
      result = await handler({
        id,
        data: decodeData(job.data) as T,
        attempt: isEarly ? job.attemptsMade : job.attemptsMade + 1,
        isFirst: job.attemptsStarted === 1,
        addedAt: job.timestamp,
        claim: run.claim,
        replaceData: async (newData) => {
          await run.claim()
          await job.updateData(encodeData(newData))
        },
      })
    } catch (thrown) {
      return fail(run, asError(thrown))
    }
    return settle(run, result)
  }
}

/** An error whose texts every backend can store; one that BullMQ does not retry if it `isLast`. */
function failureOf(cause: Error, isLast: boolean): Error {
  const failure = new (isLast ? UnrecoverableError : Error)(storableText(cause.message))
  failure.stack = storableText(cause.stack ?? cause.message)
  failure.cause = cause
  return failure
}

/** Throws JobTakenOver if the job no longer belongs to this run; returns true if it had to ask the backend. */
type Claim = () => Promise<boolean>

interface ClaimOptions {
  /** The job's id, for messages. */
  job: string
  /** Extends the lock; false if the job no longer belongs to this run. */
  renew: () => Promise<boolean>
  lockMs: number
  /** When the worker asked for the job and its lock, by the clock of this machine; undefined: not known. */
  grantedAt?: number | undefined
  /**
   * Several clocks, in milliseconds, that of the machine first: the monotonic one stands still while a machine sleeps,
   * the other may be set by hand.
   */
  clocks?: () => readonly number[]
}

/**
 * The claim asks the backend only if its last answer, at first the lock itself, is older than half of the lock. It
 * throws QueueUnavailable if there is no answer.
 */
export function createClaim({ job, renew, lockMs, grantedAt, clocks = bothClocks }: ClaimOptions): Claim {
  const begun = clocks()
  const heldMs = grantedAt === undefined ? undefined : (begun[0] ?? 0) - grantedAt
  // Below 0 the clock was set back since.
  let askedAt: readonly number[] | undefined =
    heldMs === undefined || heldMs < 0 ? undefined : begun.map((now) => now - heldMs)
  let isLost = false

  function isFresh(): boolean {
    const from = askedAt
    if (from === undefined) return false
    return clocks().every((now, at) => now >= (from[at] ?? now) && now - (from[at] ?? now) < lockMs / 2)
  }

  return async () => {
    let asked = false
    // Checked again after the answer: the process may have been frozen while it waited for it.
    while (!isFresh() || isLost) {
      const before = clocks()
      asked = true
      isLost ||= !(await available(`The lock of job ${job} could not be extended`, renew))
      if (isLost) throw new JobTakenOver(job)
      askedAt = before
    }
    return asked
  }
}

const bothClocks = () => [Date.now(), performance.now()]
