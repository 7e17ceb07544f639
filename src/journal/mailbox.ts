// The journal's mailboxes: what happened to a merge request and was not judged yet, each event once.
import type { MergeRequestRef } from '../rules/types.ts'
import { REPLAYABLE_MS } from './keeping.ts'
import { mergeRequestKey } from './keys.ts'
import { parsed } from './records.ts'
import type { Claim, JournalStore } from './store.ts'
import type { Journal, MailboxEntry } from './types.ts'

/** As long as the same body stands for the same delivery (DESIGN §6). */
const SAME_EVENT_MS = 10 * 60 * 1_000

/** The journal's methods for mail; the numbers of an empty mailbox begin anew after `keepEmptyMs`. */
export function mailboxes(store: JournalStore, keepEmptyMs: number): Pick<Journal, 'post' | 'mailbox' | 'removeMail'> {
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
    removeMail: (mergeRequest, seq) => store.trim(mergeRequestKey('mailbox', mergeRequest), seq, keepEmptyMs),
  }
}

function claimOf(mergeRequest: MergeRequestRef, content: string, deliveryId: string): Claim {
  return {
    key: mergeRequestKey('event', mergeRequest, content),
    by: deliveryId,
    keepMs: SAME_EVENT_MS,
    lostKey: mergeRequestKey('same event', mergeRequest, content, deliveryId),
  }
}
