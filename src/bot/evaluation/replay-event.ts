// The pending entry of a replay: no event for rules, but the decision names the replay.
import type { PendingEvent, ReplayRef } from '../../journal/types.ts'

/** `at`: ISO 8601. */
export function replayEvent(replay: ReplayRef, at: string): Omit<PendingEvent, 'seq'> {
  return {
    deliveryId: `${replay.of} ${replay.id} replay ${replay.number}`,
    event: { kind: 'replay', actor: {}, at },
    replay,
  }
}
