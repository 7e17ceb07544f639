// What the handlers of all lanes have in common: their errors become outcomes, and trouble with the service rests all lanes that call it.
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import { asError, QueueUnavailable } from '../queue/errors.ts'
import type { JobHandler, JobResult, Lane } from '../queue/types.ts'
import { verdictOf } from './outcome.ts'
import type { Patience } from './patience.ts'
import type { ServiceCondition, ServiceState, Trouble } from './service-state.ts'

export interface JobOptions {
  client: Pick<Client, 'users'>
  state: ServiceState
  /** The lanes whose jobs call the service. The others may go on: a delivery can mostly be read without a call. */
  calling: readonly Pick<Lane<unknown>, 'rest'>[]
  /** The usual one when absent. */
  patience?: Patience
  log: Logger
}

/** Wraps a handler: what it throws is retried, waited for or given up as the table in docs/operating.md says, and the log tells of it. */
export function createJob(options: JobOptions): <T>(handler: JobHandler<T>) => JobHandler<T> {
  const { log } = options
  return (handler) => async (job) => {
    const began = options.state.condition().is
    const result = await handler(job).catch((error: unknown) => settle(options, error, began))
    if (result.outcome === 'failed') log.error({ event: 'job failed', job: job.id, reason: result.reason }, 'a job cannot be done')
    if (result.outcome === 'pause')
      log.warn({ event: 'paused', delayMs: result.delayMs, reason: result.reason }, 'the service is left alone for a while')
    return result
  }
}

async function settle(options: JobOptions, error: unknown, began: ServiceCondition['is']): Promise<JobResult> {
  const verdict = verdictOf(error, options.patience)
  const reason = asError(error).message
  switch (verdict.do) {
    case 'give up':
      return { outcome: 'failed', reason }
    case 'wait':
      return { outcome: 'later', delayMs: verdict.delayMs, reason }
    case 'leave alone':
      return rest(options, verdict.because, verdict.delayMs, reason)
    case 'ask': {
      // One request that is always slow, or breaks something, must not stop the work on all others.
      const isAway = began === 'away' || options.state.condition().is === 'away'
      const found = await options.state.ask(options.client)
      if (found !== 'fine') return rest(options, found, verdict.delayMs, reason)
      // The outage that it met has just ended: it is not to blame for its last moments.
      if (isAway) return { outcome: 'later', delayMs: verdict.delayMs, reason }
      throw error
    }
    case 'retry':
      throw error
    default:
      return verdict satisfies never
  }
}

async function rest({ state, calling }: JobOptions, trouble: Trouble, delayMs: number, reason: string): Promise<JobResult> {
  state.met(trouble, delayMs, reason)
  try {
    await Promise.all(calling.map((lane) => lane.rest(delayMs)))
  } catch (error) {
    if (!(error instanceof QueueUnavailable)) throw error
    // The store is away as well: the job alone waits, and whichever comes next rests the lanes.
    return { outcome: 'later', delayMs, reason }
  }
  return { outcome: 'pause', delayMs, reason }
}
