// One task at a time for each key, in the order in which they came: parallel writes to one project stay consistent.

export type Serialise = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createSerialise(): Serialise {
  const tails = new Map<string, Promise<unknown>>()
  return async function serialise(key, task) {
    const before = tails.get(key) ?? Promise.resolve()
    const run = before.then(task, task)
    const settled = run.then(
      () => undefined,
      () => undefined,
    )
    tails.set(key, settled)
    try {
      return await run
    } finally {
      if (tails.get(key) === settled) tails.delete(key)
    }
  }
}
