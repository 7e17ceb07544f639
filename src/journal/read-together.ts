// Many readings at once become one: fifty evaluations side by side ask for their records within the same turn of the event loop.

type Read = (keys: string[]) => Promise<(string | undefined)[]>

/** As `read`, which is asked once for all that is asked for within one turn; what it throws, all of them throw. */
export function readTogether(read: Read): Read {
  let together: { keys: string[]; found: Promise<(string | undefined)[]> } | undefined

  function begin() {
    const keys: string[] = []
    // When whatever runs now is done: no timer, so that nobody waits for a reading alone.
    const found = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      together = undefined
      return read(keys)
    })
    return { keys, found }
  }

  return async (keys) => {
    if (keys.length === 0) return []
    together ??= begin()
    const { keys: all, found } = together
    const from = all.push(...keys) - keys.length
    return (await found).slice(from, from + keys.length)
  }
}
