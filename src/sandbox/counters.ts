// Numbers by name: the ids given so far, and the last time.

export interface Counters {
  get(name: string): number | undefined
  set(name: string, value: number): void
  /** Tells the listener the name of each counter that is set. */
  watch(listener: (name: string) => void): void
}

export function createCounters(): Counters {
  const values = new Map<string, number>()
  const listeners: ((name: string) => void)[] = []
  return {
    get: (name) => values.get(name),
    set(name, value) {
      values.set(name, value)
      for (const listener of listeners) listener(name)
    },
    watch: (listener) => void listeners.push(listener),
  }
}
