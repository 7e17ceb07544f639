// The workers of one bot: which handler works each queue, how often it retries, and who hears of failures.
import type { Logger } from 'pino'
import { JobTakenOver } from '../queue/errors.ts'
import type { FailedJob, JobHandler, QueueWorker, WorkerOptions } from '../queue/types.ts'
import type { BotOptions } from './bot-options.ts'
import { type EvaluateOptions, evaluate } from './evaluation/evaluate.ts'
import type { MergeRequestJob } from './evaluation/merge-request-job.ts'
import { createScheduledEvaluationHandler } from './evaluation/scheduled-evaluation.ts'
import { createIntake } from './intake/intake.ts'
import type { MergeQueueOptions } from './merge-queue/merge-queue-options.ts'
import { createMergeQueueHandler } from './merge-queue/work-merge-queue.ts'
import type { Chats } from './notifications/chats.ts'
import type { Notifier } from './notifications/notify.ts'
import { postAttempts } from './notifications/outbound-posts.ts'
import type { BotQueues } from './queues.ts'
import { logName } from './reporting/log-names.ts'
import { createRuleChangeNote } from './rule-changes/note.ts'
import { createJobHandler, type JobSubject } from './service/job-handler.ts'
import { type SweepJobs, sweepAttempts } from './sweep/sweep-jobs.ts'

/** Each delivery that is read holds its body in memory, up to 25 MB several times over. */
const concurrentDeliveries = 10
/** One chat that does not answer must not hold back the others. */
const concurrentPosts = 4
/** Each runs git. */
const concurrentMergeQueues = 4

export interface WorkerParts {
  queues: BotQueues
  evaluation: EvaluateOptions
  notifier: Notifier
  chats: Chats
  sweeps: SweepJobs
  mergeQueue: MergeQueueOptions
}

/** Starts one worker for each queue. */
export function startWorkers(options: BotOptions, parts: WorkerParts): QueueWorker[] {
  const { client, journal, backend, bodyRetentionMs, retryDelays, counting, log } = options
  const { queues, evaluation, notifier, chats, sweeps, mergeQueue } = parts
  const { mergeRequests, mergeQueues, ruleChanges } = queues
  const { ruleFiles, kept, botUser, offLabel, paused, now } = evaluation
  const subjectOf = async (data: unknown): Promise<JobSubject> => {
    const { project, iid } = mergeRequestOf(data)
    if (project === undefined) return {}
    // A log line without the name is better than none.
    const name = await logName(journal, { project, ...(iid === undefined ? {} : { iid }) }).catch(() => undefined)
    return name === undefined ? {} : { mergeRequest: name }
  }
  const withErrors = createJobHandler({
    client,
    subjectOf,
    state: options.state,
    retryDelays,
    log,
    calling: [mergeRequests, mergeQueues, ruleChanges, queues.sweeps],
  })
  function work<T>(
    name: keyof BotQueues,
    handler: JobHandler<T>,
    given: Partial<WorkerOptions> & Pick<WorkerOptions, 'concurrency'>,
  ): QueueWorker {
    return backend.work(queues[name].name, withErrors(handler), {
      attempts: retryDelays.attempts,
      backoffMs: retryDelays.firstBackoffMs,
      onError: (error, job, data) => void subjectOf(data).then((subject) => logJobError(log, error, job, subject)),
      onFailed: (failed) => void notifyOfFailedJob(notifier, name, failed),
      ...given,
    })
  }

  const intake = createIntake({
    client,
    journal,
    ruleFiles,
    counting,
    log,
    mergeRequests,
    mergeQueues,
    ruleChanges,
    botUser,
    bodyRetentionMs,
  })
  const note = createRuleChangeNote({
    ...{ paused, ruleChanges },
    client,
    journal,
    ruleFiles,
    kept,
    botUser,
    offLabel,
    now,
    log,
  })
  const workers = [
    work('deliveries', intake, { concurrency: concurrentDeliveries }),
    work<MergeRequestJob>('mergeRequests', (job) => evaluate(evaluation, job), { concurrency: options.concurrency }),
    work('mergeQueues', createMergeQueueHandler(mergeQueue), { concurrency: concurrentMergeQueues }),
    work('ruleChanges', note, { concurrency: 1 }),
    work('scheduledEvaluations', createScheduledEvaluationHandler(mergeRequests), { concurrency: 1 }),
    // Two: a sweep that a person asks for does not wait for the sweep of everything.
    work('sweeps', sweeps.handler, { concurrency: 2, attempts: sweepAttempts }),
  ]
  const posting = { attempts: postAttempts, backoffMs: retryDelays.firstBackoffMs * 5 }
  if (options.chats !== undefined && options.chats.length > 0)
    workers.push(
      work('chats', chats.handler, {
        ...posting,
        concurrency: concurrentPosts,
        onError: (err, job) => log.warn({ event: 'chat_not_posted', err, job }, err.message),
      }),
    )
  if (options.postNotification === undefined) return workers
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
  else log.error({ event: 'job_failed', err: error, job, ...subject }, 'a job failed')
}

function notifyOfFailedJob(
  notifier: Notifier,
  queue: keyof BotQueues,
  { id, data, reason, failedAt }: FailedJob,
): Promise<void> {
  const at = new Date(failedAt).toISOString()
  const about = { queue, job: id, reason, failedAt: at, ...mergeRequestOf(data) }
  return notifier.notify({ kind: 'job_failed', about }, `${queue} ${id} ${at}`)
}

/** The merge request that a job names, if any. */
function mergeRequestOf(data: unknown): { project?: number; iid?: number } {
  if (typeof data !== 'object' || data === null || !('project' in data) || !('iid' in data)) return {}
  const { project, iid } = data
  return typeof project === 'number' && typeof iid === 'number' ? { project, iid } : {}
}
