// Replays of deliveries and decisions.

import type { Journal, Replay } from '../types.ts'
import { key } from './keys.ts'
import type { Records } from './records.ts'
import { REPLAYABLE_MS } from './retention.ts'

/** A key of its own, so that a replay and a write of the record do not conflict. */
export const replaysKey = (recordKey: string) => key('replays', recordKey)

export function replayRecords(records: Records, historyMs: number): Pick<Journal, 'addReplay' | 'replays'> {
  return {
    async addReplay({ of, id }, replay) {
      let number = 0
      const noted = (before: Replay[] = []) => {
        number = before.length + 1
        return [...before, replay]
      }
      await records.change<Replay[]>(replaysKey(key(of, id)), noted, Math.max(historyMs, REPLAYABLE_MS))
      return number
    },
    replays: async ({ of, id }) => (await records.one<Replay[]>(replaysKey(key(of, id)))) ?? [],
  }
}
