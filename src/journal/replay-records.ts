// What the journal remembers of replays: who had a delivery or a decision judged again.
import { REPLAYABLE_MS } from './keeping.ts'
import { key } from './keys.ts'
import type { Records } from './records.ts'
import type { Journal, Replay } from './types.ts'

/** Beside the record itself, so that whoever writes it and whoever replays it write different things. */
export const replaysKey = (recordKey: string) => key('replays', recordKey)

/** The journal's methods for replays, kept as long as what was replayed. */
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
