// Records: one JSON value per key.

import type { JournalStore } from '../stores/store.ts'
import { DAY_MS } from './retention.ts'

/** Above this the memory of today's extensions is cleared. */
const MOST_NOTED = 10_000

export interface Records {
  one<T>(key: string): Promise<T | undefined>
  /** In the order of the keys. */
  all<T>(keys: readonly string[]): Promise<(T | undefined)[]>
  /** Without `keepMs`: forever. */
  keep(key: string, value: unknown, keepMs?: number): Promise<void>
  /** Reads a record whose retention counts from its last read. */
  keptOn<T>(key: string, keepMs: number): Promise<T | undefined>
  /** Extends the retention; sent to the store once a day. */
  keepOn(what: 'records' | 'lists', name: string, keepMs: number): Promise<void>
  /** Changes a record atomically: `to` may run again on a conflict; undefined leaves it as it is. */
  change<T>(key: string, to: (before: T | undefined) => T | undefined, keepMs: number): Promise<void>
}

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

  async function keepOn(what: 'records' | 'lists', name: string, keepMs: number): Promise<void> {
    const now = Date.now()
    if (now - (askedFor.get(name) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return
    if (askedFor.size >= MOST_NOTED) askedFor.clear()
    await store.extend({ [what]: [name] }, keepMs)
    askedFor.set(name, now)
  }

  return {
    one,
    all,
    keep: (key, value, keepMs) =>
      store.write({ put: [{ key, value: JSON.stringify(value), ...(keepMs === undefined ? {} : { keepMs }) }] }),
    keepOn,
    async keptOn<T>(key: string, keepMs: number) {
      const found = await one<T>(key)
      if (found !== undefined) await keepOn('records', key, keepMs)
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

export function parsed<T>(text: string): T {
  return JSON.parse(text) as T
}
