// Replay: evaluates a delivery or a decision again on the present state; old calls are never sent again.
import { hasNoMergeRequest } from '../../journal/delivery-states.ts'
import type { Replay, ReplayRef, ReplayResult } from '../../journal/types.ts'
import type { Context } from '../context.ts'
import { replayEvent } from '../evaluation/replay-event.ts'
import { enqueueEvaluation } from '../merge-request-job.ts'
import { requeueDelivery } from './delivery-job.ts'

export interface Replays {
  /** Evaluates its merge requests again. One that failed, or named none, is read again while its body is stored. */
  delivery(id: string, by: string, why?: string): Promise<ReplayResult>
  decision(id: string, by: string, why?: string): Promise<ReplayResult>
}

/** Its functions throw JournalUnavailable and QueueUnavailable. */
export function createReplays({ journal, queues, now, log }: Context): Replays {
  const { deliveries, mergeRequests } = queues

  async function noted(
    of: Omit<ReplayRef, 'number'>,
    by: string,
    why: string | undefined,
  ): Promise<{ number: number; at: string }> {
    const at = new Date(now()).toISOString()
    const replay: Replay = { at, by, why }
    const { deliveries: stored, decisions } = journal
    const number = await (of.of === 'delivery' ? stored : decisions).addReplay(of.id, replay)
    log.info({ event: 'replay', [of.of]: of.id, number, by, why }, `${of.of} replayed`)
    return { number, at }
  }

  return {
    async delivery(id, by, why) {
      const delivery = await journal.deliveries.find(id)
      const job = await deliveries.get(id)
      if (delivery === undefined && job === undefined) return { is: 'unknown' }
      const isOver = delivery !== undefined && hasNoMergeRequest(delivery.state) && job?.state !== 'failed'
      if (isOver && (await journal.deliveries.body(id)) === undefined) return { is: 'body_expired' }
      const { number, at } = await noted({ of: 'delivery', id }, by, why)
      await requeueDelivery(deliveries, id, { why: 'replay', replay: { number, at } })
      return { is: 'replayed', number }
    },
    async decision(id, by, why) {
      const decision = await journal.decisions.find(id)
      if (decision === undefined) return { is: 'unknown' }
      const { number, at } = await noted({ of: 'decision', id }, by, why)
      await journal.events.add(decision.mergeRequest, replayEvent({ of: 'decision', id, number }, at))
      await enqueueEvaluation(mergeRequests, decision.mergeRequest)
      return { is: 'replayed', number }
    },
  }
}
