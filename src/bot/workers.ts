// The workers of one bot: which handler works each queue, how often it retries, and who hears of failures.
import type { Logger } from 'pino'
import { JobTakenOver } from '../queue/errors.ts'
import type { FailedJob, JobHandler, QueueWorker, WorkerOptions } from '../queue/types.ts'
import type { BotOptions } from './bot-options.ts'
import type { Context } from './context.ts'
import { createEvaluation } from './evaluation/evaluate.ts'
import { createIntake } from './intake/intake.ts'
import { createMergeQueueHandler } from './merge-queue/work-merge-queue.ts'
import { createChatHandler } from './notifications/chats.ts'
import { type Notifier, notify } from './notifications/notify.ts'
import { type OutboundPosts, postAttempts } from './notifications/outbound-posts.ts'
import type { BotQueues } from './queues.ts'
import { createRuleChangeNote } from './rule-changes/note.ts'
import { type JobSubject, jobSubject, mergeRequestOf, withErrors } from './service/job-handler.ts'
import { type SweepJobs, sweepAttempts } from './sweep/sweep-jobs.ts'

/** Each delivery that is read holds its body in memory, up to 25 MB several times over. */
const concurrentDeliveries = 10
/** One chat that does not answer must not hold back the others. */
const concurrentPosts = 4
/** Each runs git. */
const concurrentMergeQueues = 4

/** Starts one worker for each queue. The parts have states of their own, and are made once. */
export function startWorkers(
  context: Context,
  { backend, concurrency }: Pick<BotOptions, 'backend' | 'concurrency'>,
  { notifier, posts, sweeps }: { notifier: Notifier; posts: OutboundPosts; sweeps: SweepJobs },
): QueueWorker[] {
  const { queues, operator, log } = context
  const { attempts, firstBackoffMs } = operator.retryDelays
  function work<T>(
    name: keyof BotQueues,
    handler: JobHandler<T>,
    given: Partial<WorkerOptions> & Pick<WorkerOptions, 'concurrency'>,
  ): QueueWorker {
    return backend.work(queues[name].name, withErrors(context, handler), {
      attempts,
      backoffMs: firstBackoffMs,
      onError: (error, job, data) =>
        void jobSubject(context, data).then((subject) => logJobError(log, error, job, subject)),
      onFailed: (failed) => void notifyOfFailedJob(context, name, failed),
      ...given,
    })
  }

  const first = createIntakeFirst()
  const workers = [
    work('deliveries', first.intake(createIntake(context)), { concurrency: concurrentDeliveries }),
    work('mergeRequests', first.evaluation(createEvaluation(context)), { concurrency }),
    work('mergeQueues', createMergeQueueHandler(context), { concurrency: concurrentMergeQueues }),
    work('ruleChanges', createRuleChangeNote(context), { concurrency: 1 }),
    // Two: a sweep that a person asks for does not wait for the sweep of everything.
    work('sweeps', sweeps.handler, { concurrency: 2, attempts: sweepAttempts }),
  ]
  const posting = { attempts: postAttempts, backoffMs: firstBackoffMs * 5 }
  if (operator.chats !== undefined && operator.chats.length > 0)
    workers.push(
      work('chats', createChatHandler(context, posts), {
        ...posting,
        concurrency: concurrentPosts,
        onError: (err, job) => log.warn({ event: 'chat_not_posted', err, job }, err.message),
      }),
    )
  if (operator.postNotification === undefined) return workers
  const notifications = work('notifications', notifier.handler, {
    ...posting,
    concurrency: 1,
    // A notification about a notification that cannot be sent would not arrive either.
    onFailed: () => undefined,
    onError: (err, job) => log.warn({ event: 'notification_not_sent', err, job }, err.message),
  })
  return [...workers, notifications]
}

/** Logs the error of a job, or of a worker without one. */
export function logJobError(log: Logger, error: Error, job?: string, subject: JobSubject = {}): void {
  if (error instanceof JobTakenOver) log.warn({ event: 'job_taken_over', job, ...subject }, error.message)
  else if (job === undefined) log.warn({ event: 'worker_error', err: error }, 'the worker of a queue had an error')
  else log.error({ event: 'job_failed', err: error, job, ...subject }, 'a job failed')
}

function notifyOfFailedJob(
  context: Context,
  queue: keyof BotQueues,
  { id, data, reason, failedAt }: FailedJob,
): Promise<void> {
  const at = new Date(failedAt).toISOString()
  const about = { queue, job: id, reason, failedAt: at, ...mergeRequestOf(data) }
  return notify(context, { kind: 'job_failed', about }, `${queue} ${id} ${at}`)
}

/** Deliveries that keep coming must not stop evaluations. */
const LONGEST_WAIT_MS = 5_000
/** A reading that waits for the service for so long holds up no evaluation. */
const STUCK_AFTER_MS = 500

/** Wraps the handlers of the delivery queue and of the merge-request queue of one process. */
export function createIntakeFirst() {
  let reading = 0
  let lastReadAt = 0
  const waiting = new Set<() => void>()

  /** One delivery is no burst. */
  const isBurst = () => reading > 1 && Date.now() - lastReadAt < STUCK_AFTER_MS

  function untilNoneIsRead(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(goOn, STUCK_AFTER_MS)
      function goOn(): void {
        clearTimeout(timer)
        waiting.delete(goOn)
        resolve()
      }
      waiting.add(goOn)
    })
  }

  return {
    intake<T>(handler: JobHandler<T>): JobHandler<T> {
      return async (job) => {
        reading += 1
        try {
          return await handler(job)
        } finally {
          reading -= 1
          lastReadAt = Date.now()
          if (reading === 0) for (const goOn of [...waiting]) goOn()
        }
      }
    },
    evaluation<T>(handler: JobHandler<T>): JobHandler<T> {
      return async (job) => {
        const until = Date.now() + LONGEST_WAIT_MS
        while (isBurst() && Date.now() < until) await untilNoneIsRead()
        return handler(job)
      }
    },
  }
}
