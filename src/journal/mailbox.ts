// The journal's mailboxes: what happened to a merge request and was not judged yet, each event once.
import type { MergeRequestRef } from '../rules/types.ts'
import { type Keeping, REPLAYABLE_MS } from './keeping.ts'
import { mergeRequestKey } from './keys.ts'
import { parsed } from './records.ts'
import type { Claim, JournalStore } from './store.ts'
import type { Journal, MailboxEntry } from './types.ts'

/** The journal's methods for mail; the numbers of an empty mailbox begin anew when what is over is forgotten. */
export function mailboxes(
  store: JournalStore,
  { over, sameEvent }: Pick<Keeping, 'over' | 'sameEvent'>,
): Pick<Journal, 'post' | 'mailbox' | 'removeMail'> {
  const claimOf = (mergeRequest: MergeRequestRef, content: string, deliveryId: string): Claim => ({
    key: mergeRequestKey('event', mergeRequest, content),
    by: deliveryId,
    keepMs: sameEvent,
    lostKey: mergeRequestKey('same event', mergeRequest, content, deliveryId),
  })

  return {
    async post(mergeRequest, entry) {
      const { deliveryId, content } = entry
      const { claimedBy } = await store.append(mergeRequestKey('mailbox', mergeRequest), {
        value: JSON.stringify(entry),
        mark: mergeRequestKey('posted', mergeRequest, deliveryId),
        keepMarkMs: REPLAYABLE_MS,
        ...(content === undefined ? {} : { claim: claimOf(mergeRequest, content, deliveryId) }),
      })
      return claimedBy ?? deliveryId
    },
    async mailbox(mergeRequest) {
      const entries = await store.entries(mergeRequestKey('mailbox', mergeRequest))
      return entries.map(({ seq, value }) => ({ seq, ...parsed<Omit<MailboxEntry, 'seq'>>(value) }))
    },
    // Its numbers outlive every evaluation that may still hold one.
    removeMail: (mergeRequest, seq) => store.trim(mergeRequestKey('mailbox', mergeRequest), seq, over),
  }
}
