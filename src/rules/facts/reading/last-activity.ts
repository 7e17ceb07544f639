// Remembers when somebody other than Bellhop last changed the merge request or issue: no note shows a change of labels.
import type { DecideInput, Memory, Occurrence } from '../../types.ts'
import { isOwn } from '../definition/bot-user.ts'
import { parseTime } from '../definition/parse-time.ts'

/** The memory with the time of the newest event that Bellhop did not cause. */
export function withActivity(memory: Memory, events: readonly Occurrence[], bot: DecideInput['bot']): Memory {
  const times = events
    .filter(({ event }) => /^(merge_request|issue|note)\./.test(event.kind) && !isOwn(event, bot))
    .flatMap(({ event }) => (parseTime(event.at) === undefined ? [] : [event.at]))
  const newest = [memory.activeAt ?? [], times].flat().sort().at(-1)
  return newest === undefined ? memory : { ...memory, activeAt: newest }
}
