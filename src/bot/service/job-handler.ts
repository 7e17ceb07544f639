// Turns the errors of all job handlers into outcomes, and pauses the queues while the service is unavailable.
import { asError, QueueUnavailable } from '../../queue/errors.ts'
import type { JobHandler, JobResult } from '../../queue/types.ts'
import type { Context } from '../context.ts'
import { logName } from '../reporting/names.ts'
import { errorVerdict } from './retry-policy.ts'
import type { ServiceCondition, ServiceProblem } from './service-state.ts'

/** Empty if a job is about no project. */
export type JobSubject = { mergeRequest?: string }

/** What a job is about, for the log. Never throws. */
export async function jobSubject({ journal }: Context, data: unknown): Promise<JobSubject> {
  const { project, iid } = mergeRequestOf(data)
  if (project === undefined) return {}
  // A log line without the name is better than none.
  return { mergeRequest: await logName(journal, { project, iid }).catch(() => undefined) }
}

/** The merge request that a job names, if any. */
export function mergeRequestOf(data: unknown): { project?: number; iid?: number } {
  if (typeof data !== 'object' || data === null || !('project' in data) || !('iid' in data)) return {}
  const { project, iid } = data
  return typeof project === 'number' && typeof iid === 'number' ? { project, iid } : {}
}

/** Wraps a handler; its errors are handled as the table in docs/operating.md says. */
export function withErrors<T>(context: Context, handler: JobHandler<T>): JobHandler<T> {
  const { log, service } = context
  return async (job) => {
    const began = service.state.condition().is
    const result = await handler(job).catch((error: unknown) => settle(context, error, began))
    if (result.outcome === 'failed') {
      const subject = await jobSubject(context, job.data)
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

async function settle(context: Context, error: unknown, began: ServiceCondition['is']): Promise<JobResult> {
  const verdict = errorVerdict(error, context.operator.retryDelays)
  const reason = asError(error).message
  switch (verdict.do) {
    case 'give_up':
      return { outcome: 'failed', reason }
    case 'wait':
      return { outcome: 'later', delayMs: verdict.delayMs, reason }
    case 'pause_calls':
      return pauseCalls(context, verdict.because, verdict.delayMs, reason)
    case 'ask': {
      // One failing request must not stop all other work.
      const isAway = began === 'unreachable' || context.service.state.condition().is === 'unreachable'
      const found = await context.service.state.check(context.client)
      if (found !== 'fine') return pauseCalls(context, found, verdict.delayMs, reason)
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
  { service, queues }: Context,
  problem: ServiceProblem,
  delayMs: number,
  reason: string,
): Promise<JobResult> {
  service.state.report(problem, delayMs, reason)
  // Deliveries go on, until one of them makes a call and meets the problem.
  const calling = [queues.mergeRequests, queues.mergeQueues, queues.ruleChanges, queues.sweeps]
  try {
    await Promise.all(calling.map((queue) => queue.pauseFor(delayMs)))
  } catch (error) {
    if (!(error instanceof QueueUnavailable)) throw error
    // The store is down too: this job waits, and the next one pauses the queues.
    return { outcome: 'later', delayMs, reason }
  }
  return { outcome: 'pause', delayMs, reason }
}
