// Replay: evaluates a delivery or a decision again on the present state; old calls are never sent again.
import {
  hasNoMergeRequest,
  type PendingEvent,
  type Replay,
  type ReplayRef,
  type ReplayResult,
} from '../../journal/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import { requeueDelivery } from './delivery-job.ts'

/** Its functions throw JournalUnavailable and QueueUnavailable. */
export function createReplays({ journal, queues, now, log }: Context) {
  const { deliveries, mergeRequests } = queues

  async function record(of: Omit<ReplayRef, 'number'>, by: string, why: string | undefined) {
    const at = new Date(now()).toISOString()
    const replay: Replay = { at, by, why }
    const { deliveries: stored, decisions } = journal
    const number = await (of.of === 'delivery' ? stored : decisions).addReplay(of.id, replay)
    log.info({ event: 'replay', [of.of]: of.id, number, by, why }, `${of.of} replayed`)
    return { number, at }
  }

  return {
    /** Evaluates its merge requests again. One that failed, or named none, is read again while its body is stored. */
    async delivery(id: string, by: string, why?: string): Promise<ReplayResult> {
      const delivery = await journal.deliveries.find(id)
      const job = await deliveries.get(id)
      if (delivery === undefined && job === undefined) return { is: 'unknown' }
      const isOver = delivery !== undefined && hasNoMergeRequest(delivery.state) && job?.state !== 'failed'
      if (isOver && (await journal.deliveries.body(id)) === undefined) return { is: 'body_expired' }
      const { number, at } = await record({ of: 'delivery', id }, by, why)
      await requeueDelivery(deliveries, id, { why: 'replay', replay: { number, at } })
      return { is: 'replayed', number }
    },
    async decision(id: string, by: string, why?: string): Promise<ReplayResult> {
      const decision = await journal.decisions.find(id)
      if (decision === undefined) return { is: 'unknown' }
      const { number, at } = await record({ of: 'decision', id }, by, why)
      await journal.events.add(decision.mergeRequest, replayEvent({ of: 'decision', id, number }, at))
      await enqueueEvaluation(mergeRequests, decision.mergeRequest)
      return { is: 'replayed', number }
    },
  }
}

/** `at`: ISO 8601. */
export function replayEvent(replay: ReplayRef, at: string): Omit<PendingEvent, 'seq'> {
  return {
    deliveryId: `${replay.of} ${replay.id} replay ${replay.number}`,
    event: { kind: 'replay', actor: {}, at },
    replay,
  }
}
