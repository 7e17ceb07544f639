// How many jobs wait in each lane, and how old they are: a few small questions, asked at most once a second however often somebody looks.
import { QueueUnavailable } from '../../queue/errors.ts'
import type { DeskLane, LaneName } from '../desk.ts'

const states = ['waiting', 'active', 'delayed', 'failed'] as const

export interface QueueDepth {
  lane: LaneName
  state: (typeof states)[number]
  count: number
  /** Of the oldest; absent where there is none. */
  ageMs?: number
}

const believedMs = 1_000

/** Gives undefined while the queue does not answer. */
export function queueDepth(
  lanes: Record<LaneName, Pick<DeskLane, 'counts' | 'oldest'>>,
  now: () => number,
): () => Promise<QueueDepth[] | undefined> {
  let last: { at: number; depth: Promise<QueueDepth[] | undefined> } | undefined
  return () => {
    // A clock that was set back asks anew.
    if (last === undefined || now() < last.at || now() - last.at >= believedMs) last = { at: now(), depth: readDepth(lanes, now) }
    return last.depth
  }
}

/** As it is now; undefined while the queue does not answer. */
export async function readDepth(lanes: Parameters<typeof queueDepth>[0], now: () => number): Promise<QueueDepth[] | undefined> {
  try {
    const found: QueueDepth[] = []
    for (const [name, lane] of Object.entries(lanes)) {
      const [counts, oldest] = [await lane.counts(), await lane.oldest()]
      for (const state of states) {
        const added = oldest[state]
        found.push({
          ...{ lane: name as LaneName, state, count: counts[state] },
          ...(added === undefined ? {} : { ageMs: Math.max(0, now() - added) }),
        })
      }
    }
    return found
  } catch (error) {
    // What the process has counted is told all the same, and that the queue is away.
    if (error instanceof QueueUnavailable) return undefined
    throw error
  }
}
