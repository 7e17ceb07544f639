// A relay that changes the state just before some reads and back just after them.
import { startRelay } from '../relay.ts'

export interface Swap {
  /** Whether it swaps for a read of this path. */
  at: (path: string) => boolean
  there: () => Promise<unknown>
  back: () => Promise<unknown>
}

export type SwappingRelay = Awaited<ReturnType<typeof startSwappingRelay>>

export async function startSwappingRelay(target: string) {
  let swap: Swap | undefined
  // One request after the other: no other request of the bot sees the swapped state.
  let last: Promise<unknown> = Promise.resolve()
  const relay = await startRelay(target, ({ method, path }, forward) => {
    const turn = last.then(async () => {
      const now = method === 'GET' && swap?.at(path) === true ? swap : undefined
      await now?.there()
      const answer = await forward()
      await now?.back()
      return answer
    })
    last = turn.catch(() => undefined)
    return turn
  })
  return {
    ...relay,
    /** From now on, until `stop`. */
    swap(next: Swap) {
      swap = next
    },
    /** Resolves when nothing is swapped any more, and the state is as it was. */
    async stop() {
      swap = undefined
      await last
    },
  }
}
