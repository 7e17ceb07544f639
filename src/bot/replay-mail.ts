// What a replay leaves in a mailbox: no event, but the decision that comes of it tells which replay it was.
import type { MailboxEntry, ReplayRef } from '../journal/types.ts'

/** The entry of one replay. */
export function replayMail(replay: ReplayRef, at: string): Omit<MailboxEntry, 'seq'> {
  return { deliveryId: `${replay.of} ${replay.id} replay ${replay.number}`, event: { kind: 'replay', actor: {}, at }, replay }
}
