// Pending events of merge requests, each event once.
import type { MergeRequestRef } from '../../rules/types.ts'
import type { EventClaim, JournalStore } from '../stores/store.ts'
import type { Journal, PendingEvent } from '../types.ts'
import { mergeRequestKey } from './keys.ts'
import { parsed } from './records.ts'
import { REPLAYABLE_MS, type RetentionPolicy } from './retention.ts'

export function pendingEventRecords(
  store: JournalStore,
  { over, sameEvent }: Pick<RetentionPolicy, 'over' | 'sameEvent'>,
): Pick<Journal, 'addPendingEvent' | 'pendingEvents' | 'removePendingEvents'> {
  const claimOf = (mergeRequest: MergeRequestRef, content: string, deliveryId: string): EventClaim => ({
    key: mergeRequestKey('event', mergeRequest, content),
    by: deliveryId,
    keepMs: sameEvent,
    lostKey: mergeRequestKey('same event', mergeRequest, content, deliveryId),
  })

  return {
    async addPendingEvent(mergeRequest, entry) {
      const { deliveryId, content } = entry
      const { claimedBy } = await store.append(mergeRequestKey('pending', mergeRequest), {
        value: JSON.stringify(entry),
        idempotencyKey: mergeRequestKey('posted', mergeRequest, deliveryId),
        keepIdempotencyKeyMs: REPLAYABLE_MS,
        ...(content === undefined ? {} : { claim: claimOf(mergeRequest, content, deliveryId) }),
      })
      return claimedBy ?? deliveryId
    },
    async pendingEvents(mergeRequest) {
      const entries = await store.entries(mergeRequestKey('pending', mergeRequest))
      return entries.map(({ seq, value }) => ({ seq, ...parsed<Omit<PendingEvent, 'seq'>>(value) }))
    },
    // The numbers outlive every evaluation that may hold one.
    removePendingEvents: (mergeRequest, seq) => store.trim(mergeRequestKey('pending', mergeRequest), seq, over),
  }
}
