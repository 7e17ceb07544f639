// Turns the errors of all job handlers into outcomes, and pauses the queues while the service is unavailable.
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import { asError, QueueUnavailable } from '../../queue/errors.ts'
import type { JobHandler, JobQueue, JobResult } from '../../queue/types.ts'
import type { RetryDelays } from './retry-delays.ts'
import { errorVerdict } from './retry-policy.ts'
import type { ServiceCondition, ServiceProblem, ServiceState } from './service-state.ts'

export interface JobHandlerOptions {
  client: Pick<Client, 'users'>
  state: ServiceState
  /** The queues whose jobs call the service. Deliveries continue: most are read without a call. */
  calling: readonly Pick<JobQueue<unknown>, 'pauseFor'>[]
  retryDelays: RetryDelays
  /** For the log: what a job is about. */
  subjectOf?: (data: unknown) => Promise<JobSubject>
  log: Logger
}

/** Nothing where a job is about no project. */
export type JobSubject = { mergeRequest?: string }

/** Wraps a handler; its errors are handled as the table in docs/operating.md says. */
export function createJobHandler(options: JobHandlerOptions): <T>(handler: JobHandler<T>) => JobHandler<T> {
  const { log } = options
  return (handler) => async (job) => {
    const began = options.state.condition().is
    const result = await handler(job).catch((error: unknown) => settle(options, error, began))
    if (result.outcome === 'failed') {
      const subject = await options.subjectOf?.(job.data)
      log.error({ event: 'job_failed', job: job.id, ...subject, reason: result.reason }, 'a job cannot be done')
    }
    if (result.outcome === 'pause')
      log.warn(
        { event: 'service_paused', delayMs: result.delayMs, reason: result.reason },
        'calls to the service are paused',
      )
    return result
  }
}

async function settle(options: JobHandlerOptions, error: unknown, began: ServiceCondition['is']): Promise<JobResult> {
  const verdict = errorVerdict(error, options.retryDelays)
  const reason = asError(error).message
  switch (verdict.do) {
    case 'give_up':
      return { outcome: 'failed', reason }
    case 'wait':
      return { outcome: 'later', delayMs: verdict.delayMs, reason }
    case 'leave_alone':
      return pauseCalls(options, verdict.because, verdict.delayMs, reason)
    case 'ask': {
      // One failing request must not stop all other work.
      const isAway = began === 'unreachable' || options.state.condition().is === 'unreachable'
      const found = await options.state.check(options.client)
      if (found !== 'fine') return pauseCalls(options, found, verdict.delayMs, reason)
      // The outage ended during the job.
      if (isAway) return { outcome: 'later', delayMs: verdict.delayMs, reason }
      throw error
    }
    case 'retry':
      throw error
    default:
      return verdict satisfies never
  }
}

async function pauseCalls(
  { state, calling }: JobHandlerOptions,
  problem: ServiceProblem,
  delayMs: number,
  reason: string,
): Promise<JobResult> {
  state.report(problem, delayMs, reason)
  try {
    await Promise.all(calling.map((queue) => queue.pauseFor(delayMs)))
  } catch (error) {
    if (!(error instanceof QueueUnavailable)) throw error
    // The store is down too: this job waits, and the next one pauses the queues.
    return { outcome: 'later', delayMs, reason }
  }
  return { outcome: 'pause', delayMs, reason }
}
