// How many ask the service at once, where many more jobs run than it may bear calls.
import { createBodyRoom } from '../queue/body-room.ts'

/** Runs what it is given, with what it throws; of one such function never more than `most` run at once, the others wait in the order in which they came. */
export type CallsAtOnce = <T>(does: () => Promise<T>) => Promise<T>

export function callsAtOnce(most: number): CallsAtOnce {
  const room = createBodyRoom(most)
  return async (does) => {
    const leave = await room.enter(1)
    try {
      return await does()
    } finally {
      leave()
    }
  }
}
