// The journal's records: one JSON value per key, over the texts that a store keeps.
import { DAY_MS } from './keeping.ts'
import type { JournalStore } from './store.ts'

/** Beyond that many, what was asked for today is noted anew. */
const MOST_NOTED = 10_000

export interface Records {
  one<T>(key: string): Promise<T | undefined>
  /** In the order of the keys; undefined where there is none. */
  all<T>(keys: readonly string[]): Promise<(T | undefined)[]>
  /** For `keepMs` milliseconds, or for good without it. */
  keep(key: string, value: unknown, keepMs?: number): Promise<void>
  /** Reads one that is kept for so long after it was last asked for, and those that belong to it with it. */
  keptOn<T>(key: string, keepMs: number, belonging?: readonly string[]): Promise<T | undefined>
  /** What is asked for is kept on, and what belongs to it; said to the store once a day. */
  keepOn(what: 'records' | 'lists', name: string, keepMs: number, belonging?: readonly string[]): Promise<void>
  /** Makes one of what it was, one change after the other, whoever else does the same at once: `to` may be asked again, and undefined leaves it as it is. */
  change<T>(key: string, to: (before: T | undefined) => T | undefined, keepMs: number): Promise<void>
}

/** Over one store; every method throws what the store throws. */
export function recordsIn(store: JournalStore): Records {
  const askedFor = new Map<string, number>()

  async function all<T>(keys: readonly string[]): Promise<(T | undefined)[]> {
    const texts = await store.read([...keys])
    return texts.map((text) => (text === undefined ? undefined : parsed<T>(text)))
  }

  async function one<T>(key: string): Promise<T | undefined> {
    const [found] = await all<T>([key])
    return found
  }

  async function keepOn(what: 'records' | 'lists', name: string, keepMs: number, belonging: readonly string[] = []): Promise<void> {
    const now = Date.now()
    if (now - (askedFor.get(name) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return
    if (askedFor.size >= MOST_NOTED) askedFor.clear()
    await store.extend({ [what]: [name, ...belonging] }, keepMs)
    askedFor.set(name, now)
  }

  return {
    one,
    all,
    keep: (key, value, keepMs) =>
      store.write({ put: [{ key, value: JSON.stringify(value), ...(keepMs === undefined ? {} : { keepMs }) }] }),
    keepOn,
    async keptOn<T>(key: string, keepMs: number, belonging?: readonly string[]) {
      const found = await one<T>(key)
      if (found !== undefined) await keepOn('records', key, keepMs, belonging)
      return found
    },
    async change<T>(key: string, to: (before: T | undefined) => T | undefined, keepMs: number) {
      for (;;) {
        const [from] = await store.read([key])
        const value = to(from === undefined ? undefined : parsed<T>(from))
        if (value === undefined || (await store.swap(key, { from, to: JSON.stringify(value), keepMs }))) return
      }
    },
  }
}

/** Only what the journal itself wrote is read back. */
export function parsed<T>(text: string): T {
  return JSON.parse(text) as T
}
