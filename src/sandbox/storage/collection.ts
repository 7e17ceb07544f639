// Records in memory, found by id and by keys. Records are immutable, so an older one shows the state before.
import { defined } from '../records/fields.ts'

interface WithId {
  readonly id: number | string
}
export interface Collection<T extends WithId, Key extends string = never> {
  /** Throws for an id that exists. */
  add(record: T): T
  get(id: T['id'] | null | undefined): T | undefined
  /** Replaces the fields that are given and not undefined; throws for an unknown id. */
  update(id: T['id'], patch: Partial<Omit<T, 'id'>>): T
  remove(id: T['id']): void
  all(): readonly T[]
  /** In order of id; other records cost nothing. */
  where(key: Key, value: string | number): readonly T[]
  first(key: Key, value: string | number): T | undefined
  count(key: Key, value: string | number): number
  /** Calls the listener with the id of each record that is added, updated or removed. */
  watch(listener: (id: T['id']) => void): void
}

/** A collection with an index for each key: the name of a field, or a function of the record. */
export function createCollection<T extends WithId>() {
  return <Key extends string = never>(keys: Record<Key, keyof T | ((record: T) => unknown)>): Collection<T, Key> => {
    const records = new Map<T['id'], T>()
    const indexes = new Map(
      Object.entries<keyof T | ((record: T) => unknown)>(keys).map(([name, key]) => {
        const keyOf = typeof key === 'function' ? key : (record: T) => record[key]
        return [name, { keyOf, groups: new Map<unknown, Map<T['id'], T>>() }]
      }),
    )
    const listeners: ((id: T['id']) => void)[] = []

    function replace(id: T['id'], before: T | undefined, after: T | undefined) {
      for (const { keyOf, groups } of indexes.values()) {
        if (before) groups.get(keyOf(before))?.delete(id)
        if (after) groups.set(keyOf(after), (groups.get(keyOf(after)) ?? new Map()).set(id, after))
      }
      for (const listener of listeners) listener(id)
    }
    function put(before: T | undefined, after: T) {
      records.set(after.id, after)
      replace(after.id, before, after)
      return after
    }
    const sorted = (some: Iterable<T>): readonly T[] => [...some].sort((a, b) => (a.id < b.id ? -1 : 1))
    const group = (key: Key, value: string | number) => indexes.get(key)?.groups.get(value)
    const where = (key: Key, value: string | number) => sorted(group(key, value)?.values() ?? [])

    return {
      add(record) {
        if (records.has(record.id)) throw new Error(`there is a record ${record.id} already`)
        return put(undefined, record)
      },
      get: (id) => (id === null || id === undefined ? undefined : records.get(id)),
      update(id, patch) {
        const before = records.get(id)
        if (before === undefined) throw new Error(`no record ${id} to update`)
        return put(before, { ...before, ...defined(patch) })
      },
      remove(id) {
        const record = records.get(id)
        if (records.delete(id)) replace(id, record, undefined)
      },
      all: () => sorted(records.values()),
      where,
      first: (key, value) => where(key, value)[0],
      count: (key, value) => group(key, value)?.size ?? 0,
      watch: (listener) => void listeners.push(listener),
    }
  }
}
