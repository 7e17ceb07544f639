// Records: one JSON value per key.

import { DAY_MS } from '../days.ts'
import type { JournalStore } from '../stores/store.ts'

/** Above this the list of today's extensions is cleared. */
const MOST_NOTED = 10_000

export interface Records {
  one<T>(key: string): Promise<T | undefined>
  /** In the order of the keys. */
  all<T>(keys: readonly string[]): Promise<(T | undefined)[]>
  /** Without `keepMs`: forever. */
  write(key: string, value: unknown, keepMs?: number): Promise<void>
  /** Reads a record whose retention counts from its last read. */
  readAndExtend<T>(key: string, keepMs: number): Promise<T | undefined>
  /** Extends the retention; sent to the store once a day. */
  extend(what: 'records' | 'lists', name: string, keepMs: number): Promise<void>
  /** Changes a record atomically: `to` may run again on a conflict; undefined leaves it as it is. */
  change<T>(key: string, to: (before: T | undefined) => T | undefined, keepMs: number): Promise<void>
}

export function recordsIn(store: JournalStore): Records {
  const extendedAt = new Map<string, number>()

  async function all<T>(keys: readonly string[]): Promise<(T | undefined)[]> {
    const texts = await store.read([...keys])
    return texts.map((text) => (text === undefined ? undefined : parsed<T>(text)))
  }

  async function one<T>(key: string): Promise<T | undefined> {
    const [found] = await all<T>([key])
    return found
  }

  async function extend(what: 'records' | 'lists', name: string, keepMs: number): Promise<void> {
    const now = Date.now()
    if (now - (extendedAt.get(name) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return
    if (extendedAt.size >= MOST_NOTED) extendedAt.clear()
    await store.extend({ [what]: [name] }, keepMs)
    extendedAt.set(name, now)
  }

  return {
    one,
    all,
    write: (key, value, keepMs) =>
      store.write({ put: [{ key, value: JSON.stringify(value), ...(keepMs === undefined ? {} : { keepMs }) }] }),
    extend,
    async readAndExtend<T>(key: string, keepMs: number) {
      const found = await one<T>(key)
      if (found !== undefined) await extend('records', key, keepMs)
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
