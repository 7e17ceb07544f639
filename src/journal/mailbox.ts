// The journal's mailboxes: what happened to a merge request and was not judged yet, each event once.

import { REPLAYABLE_MS } from './keeping.ts'
import { mergeRequestKey } from './keys.ts'
import { parsed } from './records.ts'
import type { JournalStore } from './store.ts'
import type { Journal, MailboxEntry } from './types.ts'

/** As long as the same body stands for the same delivery (DESIGN §6). */
const SAME_EVENT_MS = 10 * 60 * 1_000

/** The journal's methods for mail; the numbers of an empty mailbox begin anew after `keepEmptyMs`. */
export function mailboxes(store: JournalStore, keepEmptyMs: number): Pick<Journal, 'post' | 'firstWith' | 'mailbox' | 'removeMail'> {
  return {
    async post(mergeRequest, entry) {
      await store.append(mergeRequestKey('mailbox', mergeRequest), {
        value: JSON.stringify(entry),
        mark: mergeRequestKey('posted', mergeRequest, entry.deliveryId),
        keepMarkMs: REPLAYABLE_MS,
      })
    },
    async firstWith(mergeRequest, content, deliveryId) {
      const claim = mergeRequestKey('event', mergeRequest, content)
      const known = mergeRequestKey('same event', mergeRequest, content, deliveryId)
      for (;;) {
        const [before, present] = await store.read([known, claim])
        if (before !== undefined) return before
        if (present === undefined) {
          if (await store.swap(claim, { from: undefined, to: deliveryId, keepMs: SAME_EVENT_MS })) return deliveryId
        } else {
          // Read once more when the claim is over, it would count as the first.
          if (present !== deliveryId) await store.write({ put: [{ key: known, value: present, keepMs: REPLAYABLE_MS }] })
          return present
        }
      }
    },
    async mailbox(mergeRequest) {
      const entries = await store.entries(mergeRequestKey('mailbox', mergeRequest))
      return entries.map(({ seq, value }) => ({ seq, ...parsed<Omit<MailboxEntry, 'seq'>>(value) }))
    },
    // Its numbers outlive every evaluation that may still hold one.
    removeMail: (mergeRequest, seq) => store.trim(mergeRequestKey('mailbox', mergeRequest), seq, keepEmptyMs),
  }
}
