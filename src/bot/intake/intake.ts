// Intake: reads a delivery, adds its event to its merge requests' pending events, and enqueues them.
import pLimit from 'p-limit'
import { hasNoMergeRequest } from '../../journal/types.ts'
import type { JobHandler, RunningJob } from '../../queue/types.ts'
import { isIssue } from '../../rules/facts/definition/subject-ref.ts'
import { inSpan } from '../../tracing/span.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import { logNames } from '../reporting/names.ts'
import { type DeliveryJob, withoutBody } from './delivery-job.ts'
import {
  type CurrentDelivery,
  createUnseenProjects,
  type IntakeContext,
  processEvent,
  saveResult,
} from './process-event.ts'
import { bodyWithoutTexts, readDelivery } from './read-delivery.ts'
import { replayEvent } from './replay.ts'

type NewDelivery = Extract<DeliveryJob, { is: 'delivery' }>
type AgainJob = Extract<DeliveryJob, { is: 'again' }>

const maxConcurrentCalls = 10

/** The handler of the delivery queue. */
export function createIntake(given: Context): JobHandler<DeliveryJob> {
  const context: IntakeContext = {
    ...given,
    limitConcurrency: pLimit(maxConcurrentCalls),
    reportUnseen: createUnseenProjects(given),
  }
  return (running) => {
    const { id, data } = running
    const delivery = data.is === 'delivery' ? id : data.delivery
    const attributes = { 'bellhop.delivery': delivery }
    return inSpan('intake', { attributes }, async () => {
      if (data.is === 'delivery') return { outcome: 'done', newData: await readNew(context, running, data) }
      await evaluateAgain(context, data)
      return { outcome: 'done' }
    })
  }
}

/** Returns the job without its body, which the journal has now; undefined if it has none. */
async function readNew(
  context: IntakeContext,
  { id, isFirst, replaceData }: RunningJob<DeliveryJob>,
  job: NewDelivery,
): Promise<NewDelivery | undefined> {
  const { journal, log } = context
  const record = {
    id,
    receivedAt: job.receivedAt,
    header: job.header,
    state: 'received' as const,
    mergeRequests: [],
    bytes: job.read?.bytes ?? Buffer.byteLength(job.body),
    secretProject: job.secretProject,
  }
  const jobWithoutBody = withoutBody(job)
  const { unreadable, read } = jobWithoutBody ?? job
  const hasBody = job.unreadable === undefined && job.read === undefined
  // The header also tells it of a body that cannot be read.
  const isConfidential = read?.summary.confidential === true || /^confidential /i.test(job.header)
  const text = isConfidential ? bodyWithoutTexts(job.body) : job.body
  const body = hasBody ? { text, keepMs: context.operator.bodyRetentionMs } : undefined
  const saveReceived = async () => {
    await journal.deliveries.save(record, { body })
    // A job that waits or fails has none of its texts either. Only now: the journal has what a replay needs.
    if (isConfidential && jobWithoutBody !== undefined) await replaceData(jobWithoutBody)
  }
  // The first run writes only its result. If it was cut off, it may have written nothing, so a later run writes first.
  if (!isFirst) await saveReceived()
  const current: CurrentDelivery = { record, parts: { body: isFirst ? body : undefined } }
  try {
    if (unreadable !== undefined) await saveResult(context, current, { state: 'unreadable', reason: unreadable })
    else if (read !== undefined) await processEvent(context, current, read.summary)
    return jobWithoutBody
  } catch (error) {
    if (isFirst)
      await saveReceived().catch((err: unknown) =>
        log.warn(
          { event: 'delivery_not_saved', delivery: id, err },
          'a delivery was not saved before it is tried again',
        ),
      )
    throw error
  }
}

/** The service sent the delivery again, or a person replays it. */
async function evaluateAgain(context: IntakeContext, { delivery: id, why, replay }: AgainJob): Promise<void> {
  const { journal, queues, log } = context
  const delivery = await journal.deliveries.find(id)
  // Not read yet: its own job is still queued.
  if (delivery === undefined) return
  // The rules may have changed since, or how this version reads bodies.
  if (why === 'replay' && hasNoMergeRequest(delivery.state)) {
    const body = await journal.deliveries.body(id)
    if (body !== undefined) {
      const { reason: _before, ...record } = delivery
      const read = readDelivery(body, record.receivedAt)
      if (read.ok) return processEvent(context, { record, isReplay: true }, read.summary)
      await saveResult(context, { record }, { state: 'unreadable', reason: read.reason })
      return
    }
  }
  for (const ref of delivery.mergeRequests) {
    // As for the first one: few projects have rules for issues.
    if (why === 'duplicate' && delivery.state === 'no_merge_request' && isIssue(ref)) continue
    if (replay !== undefined)
      await journal.events.add(ref, replayEvent({ of: 'delivery', id, number: replay.number }, replay.at))
    await enqueueEvaluation(queues.mergeRequests, ref)
  }
  const names = await logNames(journal, delivery.mergeRequests)
  log.info({ event: 'delivery_evaluated_again', delivery: id, why, mergeRequests: names }, `delivery ${why}`)
}
