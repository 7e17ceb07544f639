// Turns on one database session: whoever holds the turn has the session alone, in the order of asking.

/** Ends a turn; calling it again does nothing. */
export type EndTurn = () => void

/** Makes the line for one session. */
export function sessionTurns(): { take(): Promise<EndTurn> } {
  let last: Promise<void> = Promise.resolve()
  return {
    async take() {
      const before = last
      let end: EndTurn = () => undefined
      last = new Promise((resolve) => {
        end = resolve
      })
      await before
      // A statement of PGlite ends without a turn of the event loop: many in a row would keep requests, timers and signals waiting for as long.
      await new Promise(setImmediate)
      return end
    },
  }
}
