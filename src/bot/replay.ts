// Replay: a delivery or a decision is judged again, on the state as it is now, and never re-sent.
import type { Logger } from 'pino'
import type { Journal, Replay, ReplayRef } from '../journal/types.ts'
import type { Lane } from '../queue/types.ts'
import { concernedNobody } from './intake.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'
import { type DeliveryJob, putBack } from './receive.ts'
import { replayMail } from './replay-mail.ts'

/** `unknown`: there is none of that id; `forgotten`: it concerned nobody, and its body is not kept any more. */
export type Replayed = { is: 'replayed'; number: number } | { is: 'unknown' } | { is: 'forgotten' }

export interface ReplayOptions {
  journal: Journal
  deliveries: Lane<DeliveryJob>
  mergeRequests: Lane<MergeRequestJob>
  now: () => number
  log: Logger
}

export interface Replays {
  /** Judges a delivery's merge requests again; one whose reading failed, or that concerned nobody, is read again while its body is kept. */
  delivery(id: string, by: string, why?: string): Promise<Replayed>
  /** Judges the merge request of a decision again. */
  decision(id: string, by: string, why?: string): Promise<Replayed>
}

/** Replays over one service's lanes. */
export function createReplays({ journal, deliveries, mergeRequests, now, log }: ReplayOptions): Replays {
  async function noted(of: Omit<ReplayRef, 'number'>, by: string, why: string | undefined): Promise<{ number: number; at: string }> {
    const at = new Date(now()).toISOString()
    const replay: Replay = { at, by, ...(why === undefined ? {} : { why }) }
    const number = await journal.addReplay(of, replay)
    log.info({ event: 'replay', [of.of]: of.id, number, by, why }, `${of.of} replayed`)
    return { number, at }
  }

  return {
    async delivery(id, by, why) {
      const delivery = await journal.delivery(id)
      const job = await deliveries.get(id)
      if (delivery === undefined && job === undefined) return { is: 'unknown' }
      const isOver = delivery !== undefined && concernedNobody(delivery) && job?.state !== 'failed'
      if (isOver && (await journal.body(id)) === undefined) return { is: 'forgotten' }
      const { number, at } = await noted({ of: 'delivery', id }, by, why)
      // A delivery that failed has not been read to its end; one that was read is judged on the present state, never re-sent blindly.
      await putBack(deliveries, id, { why: 'replay', replay: { number, at } })
      return { is: 'replayed', number }
    },
    async decision(id, by, why) {
      const decision = await journal.decision(id)
      if (decision === undefined) return { is: 'unknown' }
      const { number, at } = await noted({ of: 'decision', id }, by, why)
      await journal.post(decision.mergeRequest, replayMail({ of: 'decision', id, number }, at))
      await mergeRequests.add({ data: decision.mergeRequest, oneAtATime: keyOf(decision.mergeRequest) })
      return { is: 'replayed', number }
    },
  }
}
