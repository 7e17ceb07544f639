// Runs the jobs of one lane: turns what a handler says into BullMQ's words.
import { DelayedError, type Job, type Processor, RateLimitError, UnrecoverableError } from 'bullmq'
import { ATTEMPTS, afterFailure, FIRST_BACKOFF_MS, isTallied, isWoken, NO_TALLY, readTally, restMs, type Tally } from './attempts.ts'
import { bytesApart, readData } from './body-apart.ts'
import type { BodyRoom, Leave } from './body-room.ts'
import { restLane } from './bullmq-lane.ts'
import { type BullStore, KEPT, LIMITER } from './bullmq-store.ts'
import { type Claim, createClaim } from './claim.ts'
import { asError, JobOfNewerVersion, JobTakenOver } from './errors.ts'
import { decodeData, encodeData, isNewer, storableText } from './job-data.ts'
import type { JobHandler, JobResult, LaneWorker, WorkerOptions } from './types.ts'

const LOCK_MS = 30_000
/** A job that ended the process, or froze it, more often than that in a row is not started again. */
const CUT_OFF_LIMIT = 5
/** BullMQ counts over the whole life of a job, and also where its process ended before the job was begun: so they are counted here. */
const STALLED_LIMIT = 1_000_000
/** Starts count also when a job waits or pauses, which may go on for days; this only ends what nothing else ends. */
const STARTED_LIMIT = 100_000
/** So many jobs may end beyond what is kept, before the oldest go. */
const DROPPED_EVERY = 1_000
/** A busy store takes some time for many jobs; one that is gone takes none of them, and their locks run out. */
const GIVE_BACK_MS = 5_000

/** While old and new run side by side, a job of the new one is looked at again after so long. */
const NEWER_WAIT_MS = 5_000

/** Said by the handler itself, so it is no error to tell of. */
class GivenUp extends UnrecoverableError {}

/** Starts to work off the lane at once. */
export function bullmqWorker<T>(
  store: BullStore,
  lane: string,
  handler: JobHandler<T>,
  options: WorkerOptions,
  { bodies, lockMs = LOCK_MS }: { bodies: BodyRoom; lockMs?: number | undefined },
): LaneWorker {
  const running = new Map<string, { job: Job; token: string; isPutOff: boolean }>()
  const afterwards = new Set<Promise<void>>()
  let stopping: Promise<void> | undefined
  let isGivenBack = false
  const queue = store.queue(lane)
  const firstBackoffMs = options.backoffMs ?? FIRST_BACKOFF_MS

  const processor: Processor = async (job, token = '') => {
    const id = String(job.id)
    const first = running.get(id)
    if (first !== undefined) {
      // A process that was frozen for longer than its lock is given its own job again, while the first run still goes on here.
      await job.moveToDelayed(Date.now() + lockMs, token)
      first.isPutOff = true
      throw new DelayedError()
    }
    await leaveToNewer(job, token)
    const run = { job, token, isPutOff: false }
    running.set(id, run)
    try {
      // First: a process that ends while a job waits for room did not end because of that job.
      const leave = await roomFor(job)
      try {
        return await begin(job, token)
      } finally {
        leave()
      }
    } catch (thrown) {
      if (!(thrown instanceof JobTakenOver)) throw thrown
      options.onError(thrown, id)
      // To BullMQ: somebody else sees to this job.
      throw new DelayedError()
    } finally {
      running.delete(id)
      if (run.isPutOff) afterRun(job, () => wake(job))
    }
  }

  /** Room for the body that stands beside the job. */
  async function roomFor(job: Job): Promise<Leave> {
    const bytes = bytesApart(job)
    if (bytes === undefined) return () => undefined
    const leave = await bodies.enter(bytes)
    if (!isGivenBack) return leave
    leave()
    throw new DelayedError()
  }

  async function begin(job: Job, token: string): Promise<null> {
    if (job.stalledCounter > 0) await beginWithCare(job, token)
    const claim = createClaim({ job: String(job.id), renew: async () => (await job.extendLock(token, lockMs)) === 1, lockMs })
    const result = await tried(job, claim)
    // What could be read or was put off is no failure: those before it are over.
    if (result.outcome === 'later' || result.outcome === 'pause') {
      const { attempts, dueAt } = readTally(job.progress)
      await count(job, claim, 'keepsTries' in result ? { ...NO_TALLY, attempts, dueAt } : NO_TALLY)
    }
    switch (result.outcome) {
      case 'done':
        if (result.leaves !== undefined) await replaceData(job, encodeData(result.leaves))
        return null
      case 'failed':
        throw new GivenUp(storableText(result.reason))
      case 'pause':
        await restLane(queue, result.delayMs)
        throw new RateLimitError()
      case 'later':
        await job.moveToDelayed(Date.now() + Math.max(result.delayMs, 0), token)
        wakeIfAdded(job)
        throw new DelayedError()
      default:
        return result satisfies never
    }
  }

  async function leaveToNewer(job: Job, token: string): Promise<void> {
    if (!isNewer(job.data)) return
    options.onError(new JobOfNewerVersion(String(job.id)), String(job.id))
    await job.moveToDelayed(Date.now() + NEWER_WAIT_MS, token)
    throw new DelayedError()
  }

  /** A process ended or froze while it had this job: perhaps because of it. */
  async function beginWithCare(job: Job, token: string): Promise<void> {
    const tally = readTally(job.progress)
    const { cutOff, rested } = tally
    if (cutOff >= CUT_OFF_LIMIT) throw new UnrecoverableError(`Its process ended or froze ${cutOff + 1} times in a row while it ran.`)
    if (rested === cutOff) return await job.updateProgress({ ...tally, cutOff: cutOff + 1 })
    await job.updateProgress({ ...tally, rested: cutOff })
    await job.moveToDelayed(Date.now() + restMs(cutOff, { firstBackoffMs, chance: Math.random() }), token)
    wakeIfAdded(job)
    throw new DelayedError()
  }

  /** The job's data with its body. */
  async function dataOf(job: Job): Promise<T> {
    const data = await readData(job, readApart)
    if (data !== undefined) return data as T
    // Another run that was frozen meanwhile, or one that sheds, has given it other data.
    const now = await queue.getJob(String(job.id))
    const dataNow = now === undefined ? undefined : await readData(now, readApart)
    if (dataNow === undefined) throw new Error(`The body of job ${job.id} is gone.`)
    return dataNow as T
  }

  /** Calls the handler; a throw becomes an error that both stores can hold, and at the last attempt one that is not retried. */
  async function tried(job: Job, claim: Claim): Promise<JobResult> {
    const startedAt = Date.now()
    const tally = readTally(job.progress)
    const attempt = isWoken(tally, startedAt) ? tally.attempts : tally.attempts + 1
    try {
      const isFirst = job.attemptsStarted === 1 && !isTallied(job.progress)
      return await handler({ id: String(job.id), data: await dataOf(job), attempt, isFirst, addedAt: job.timestamp, claim })
    } catch (thrown) {
      const cause = asError(thrown)
      const next = afterFailure(tally, {
        startedAt,
        now: Date.now(),
        firstBackoffMs,
        chance: Math.random(),
      })
      const isLast = next.attempts >= (options.attempts ?? ATTEMPTS)
      const failure = new (isLast ? UnrecoverableError : Error)(storableText(cause.message))
      failure.stack = storableText(cause.stack ?? cause.message)
      failure.cause = cause
      try {
        await claim()
        await job.updateProgress({ ...next })
      } catch (error) {
        if (error instanceof JobTakenOver) throw error
        // Lost with the store, which then cannot take the failure either: the job comes back when its lock runs out, and counts from here.
        options.onError(asError(error), job.id)
      }
      throw failure
    }
  }

  /** Not by a run that has lost its job: it counts as cut off. */
  async function count(job: Job, claim: Claim, next: Tally): Promise<void> {
    const { attempts, dueAt, cutOff } = readTally(job.progress)
    if (attempts === next.attempts && dueAt === next.dueAt && cutOff === next.cutOff) return
    await claim()
    await job.updateProgress({ ...next })
  }

  const { worker, replaceData, readApart, close } = store.worker(lane, processor, {
    concurrency: options.concurrency,
    limiter: LIMITER,
    // How long a stop may wait for a pause that began during it: BullMQ ends only those that began before.
    maximumRateLimitDelay: 1_000,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: STALLED_LIMIT,
    maxStartedAttempts: STARTED_LIMIT,
    settings: { backoffStrategy: (_attempt, _type, _error, job) => Math.max(1, readTally(job?.progress).dueAt - Date.now()) },
  })
  worker.on('error', (error) => {
    if (stopping === undefined) options.onError(error)
  })
  let ended = 0
  const drop = () => {
    ended += 1
    if (ended % DROPPED_EVERY === 0) store.dropOldest?.(lane, KEPT).catch((thrown) => options.onError(asError(thrown)))
  }
  worker.on('completed', drop)
  worker.on('failed', drop)
  worker.on('failed', (job, error) => {
    if (job !== undefined) wakeIfAdded(job)
    if (!(error instanceof GivenUp)) options.onError(error.cause === undefined ? error : asError(error.cause), job?.id)
    // One that is tried again has no end yet.
    if (job !== undefined && typeof job.finishedOn === 'number')
      options.onFailed?.({ id: String(job.id), data: decodeData(job), reason: error.message, failedAt: job.finishedOn })
  })

  /** An add while the job ran was noted, but no one looks at the note of a job that goes to wait: so it is woken here. */
  function wakeIfAdded(job: Job): void {
    const key = job.deduplicationId
    if (key === undefined) return
    afterRun(job, async () => {
      if ((await job.isDelayed()) && (await store.takePendingAdd(lane, key))) await wake(job)
    })
  }

  async function wake(job: Job): Promise<void> {
    if (await job.isDelayed()) await job.promote().catch(ignoreUnlessDelayed(job))
  }

  /** Not within the handler: a job that is taken up again before BullMQ is through with its last run would lose the renewal of its lock. */
  function afterRun(job: Job, does: () => Promise<void>): void {
    const done = new Promise((resolve) => setImmediate(resolve)).then(does).catch((thrown) => options.onError(asError(thrown), job.id))
    afterwards.add(done)
    void done.finally(() => afterwards.delete(done))
  }

  async function stop(withinMs: number): Promise<void> {
    const closing = worker.close().then(() => Promise.all(afterwards))
    const inTime = await Promise.race([closing.then(() => true), passed(withinMs)])
    // What still runs goes back in line at once, so that another process need not wait for its lock to run out.
    isGivenBack = !inTime
    if (!inTime) await Promise.race([Promise.allSettled([...running.values()].map(giveBack)), passed(GIVE_BACK_MS)])
    await Promise.race([close(), passed(1_000)])
  }

  /** Its process ends in order, and not because of it. */
  async function giveBack({ job, token }: { job: Job; token: string }): Promise<void> {
    const tally = readTally(job.progress)
    if (tally.cutOff > 0) await job.updateProgress({ ...tally, cutOff: 0, rested: 0 })
    await job.moveToWait(token)
  }

  return {
    stop(withinMs) {
      stopping ??= stop(withinMs)
      return stopping
    },
  }
}

function ignoreUnlessDelayed(job: Job): (thrown: unknown) => Promise<void> {
  return async (thrown) => {
    // Someone else woke it in between: that is what was wanted.
    if (await job.isDelayed()) throw thrown
  }
}

function passed(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref())
}
