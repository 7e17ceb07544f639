// Records by id and by declared keys. Records never change in place, so an older one shows what was before.
import { createIdOrder, type IdOrder } from './id-order.ts'

export interface Collection<T extends { readonly id: number }, Key extends string> {
  /** Enters a record; throws for an id that is there already, which is a mistake of ours. */
  add(record: T): T
  get(id: number): T | undefined
  /** The record with the given fields replaced; throws for an unknown id, which is a mistake of ours. */
  update(id: number, patch: Partial<Omit<T, 'id'>>): T
  remove(id: number): void
  /** All records in order of id. Like `where`, it costs nothing while nothing changes. */
  all(): readonly T[]
  /** The records whose key has this value, in order of id; what belongs to other values costs nothing. */
  where(key: Key, value: string | number): readonly T[]
  /** The record with the lowest id whose key has this value. */
  first(key: Key, value: string | number): T | undefined
  count(key: Key, value: string | number): number
  /** Tells the listener the id of each record that comes, changes or goes. */
  watch(listener: (id: number) => void): void
}

/** A collection with one index for each function in `keys`. */
export function createCollection<T extends { readonly id: number }, Key extends string = never>(
  keys: Record<Key, (record: T) => string | number>,
): Collection<T, Key> {
  const records = new Map<number, T>()
  const inOrder = createIdOrder<T>()
  const indexes = (Object.entries(keys) as [Key, (record: T) => string | number][]).map(([key, keyOf]) => ({
    key,
    keyOf,
    byValue: new Map<string | number, IdOrder<T>>(),
  }))
  const byKey = new Map(indexes.map(({ key, byValue }) => [key, byValue]))
  const listeners: ((id: number) => void)[] = []

  function put(record: T, before: T | undefined): void {
    records.set(record.id, record)
    inOrder.set(record)
    for (const { keyOf, byValue } of indexes) {
      const value = keyOf(record)
      if (before !== undefined && keyOf(before) !== value) withdraw(byValue, keyOf(before), record.id)
      const sameValue = byValue.get(value) ?? createIdOrder<T>()
      byValue.set(value, sameValue)
      sameValue.set(record)
    }
    tell(record.id)
  }
  function withdraw(byValue: Map<string | number, IdOrder<T>>, value: string | number, id: number): void {
    const sameValue = byValue.get(value)
    sameValue?.delete(id)
    if (sameValue?.size === 0) byValue.delete(value)
  }
  function tell(id: number): void {
    for (const listener of listeners) listener(id)
  }

  return {
    add(record) {
      if (records.has(record.id)) throw new Error(`there is a record ${record.id} already`)
      // A copy: literals that mix spreads and fields come out with a hidden class each, and filtering many of them is ten times slower.
      const kept = { ...record }
      put(kept, undefined)
      return kept
    },
    get: (id) => records.get(id),
    update(id, patch) {
      const before = records.get(id)
      if (before === undefined) throw new Error(`no record ${id} to update`)
      const after = { ...before, ...patch }
      put(after, before)
      return after
    },
    remove(id) {
      const record = records.get(id)
      if (record === undefined) return
      records.delete(id)
      inOrder.delete(id)
      for (const { keyOf, byValue } of indexes) withdraw(byValue, keyOf(record), id)
      tell(id)
    },
    all: () => inOrder.list(),
    where: (key, value) => byKey.get(key)?.get(value)?.list() ?? [],
    first: (key, value) => byKey.get(key)?.get(value)?.first(),
    count: (key, value) => byKey.get(key)?.get(value)?.size ?? 0,
    watch: (listener) => void listeners.push(listener),
  }
}
