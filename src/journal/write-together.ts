// Many writes at once become one: what is written within the same turn of the event loop goes to the store in one command.

/** What comes together is no larger than this; one that is larger by itself has a command of its own. */
const MOST_CHARACTERS = 256 * 1024
/** As long as these take, nobody else is answered. */
const MOST_WRITES = 100

/** As `write`, which is given all of one turn, in their order; each of them is atomic, and what it throws, all of them throw, also those that were written by then. `sizeOf`: characters. */
export function writeTogether<T>(write: (all: readonly T[]) => Promise<void>, sizeOf: (one: T) => number): (one: T) => Promise<void> {
  let together: { all: T[]; size: number; done: Promise<void> } | undefined

  function begin() {
    const all: T[] = []
    // When whatever runs now is done: no timer, so that nobody waits for a write alone.
    const done = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      if (together?.all === all) together = undefined
      return write(all)
    })
    return { all, size: 0, done }
  }

  return (one) => {
    const size = sizeOf(one)
    if (together !== undefined && (together.size + size > MOST_CHARACTERS || together.all.length >= MOST_WRITES)) together = undefined
    together ??= begin()
    together.all.push(one)
    together.size += size
    return together.done
  }
}
