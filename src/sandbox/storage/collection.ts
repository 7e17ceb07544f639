// Records in memory, found by id and by keys. Records are immutable, so an older one shows the state before.

interface Identified {
  readonly id: number | string
}
export interface Collection<T extends Identified, Key extends string = never> {
  /** Throws for an id that exists. */
  add(record: T): T
  get(id: T['id']): T | undefined
  /** Replaces the given fields; throws for an unknown id. */
  update(id: T['id'], patch: Partial<Omit<T, 'id'>>): T
  remove(id: T['id']): void
  /** All records in order of id; the same array until something changes. */
  all(): readonly T[]
  /** In order of id; other records cost nothing. */
  where(key: Key, value: string | number): readonly T[]
  first(key: Key, value: string | number): T | undefined
  count(key: Key, value: string | number): number
  /** Calls the listener with the id of each record that is added, updated or removed. */
  watch(listener: (id: T['id']) => void): void
}

/** A collection with an index for each key: the name of a field, or a function of the record. */
export function createCollection<T extends Identified>() {
  return <Key extends string = never>(keys: Record<Key, keyof T | ((record: T) => unknown)>): Collection<T, Key> => {
    const records = new Map<T['id'], T>()
    const indexes = Object.entries<keyof T | ((record: T) => unknown)>({ ...keys, '': () => '' }).map(
      ([name, key]) => ({
        name,
        keyOf: typeof key === 'function' ? key : (record: T) => record[key],
        groups: new Map<unknown, { records: Map<T['id'], T>; sorted?: readonly T[] | undefined }>(),
      }),
    )
    const groupsOf = new Map(indexes.map(({ name, groups }) => [name, groups]))
    const listeners: ((id: T['id']) => void)[] = []

    function replace(before: T | undefined, after: T | undefined): void {
      for (const { keyOf, groups } of indexes) {
        const old = before && groups.get(keyOf(before))
        if (before && old) {
          old.records.delete(before.id)
          old.sorted = undefined
          if (old.records.size === 0) groups.delete(keyOf(before))
        }
        if (after) {
          const { records: group } = groups.get(keyOf(after)) ?? { records: new Map() }
          groups.set(keyOf(after), { records: group.set(after.id, after) })
        }
      }
      const id = (after ?? before)?.id
      if (id !== undefined) for (const listener of listeners) listener(id)
    }
    function put(before: T | undefined, after: T): T {
      records.set(after.id, after)
      replace(before, after)
      return after
    }
    function where(key: string, value: string | number): readonly T[] {
      const group = groupsOf.get(key)?.get(value)
      if (group === undefined) return []
      group.sorted ??= [...group.records.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
      return group.sorted
    }

    return {
      add(record) {
        if (records.has(record.id)) throw new Error(`there is a record ${record.id} already`)
        return put(undefined, record)
      },
      get: (id) => records.get(id),
      update(id, patch) {
        const before = records.get(id)
        if (before === undefined) throw new Error(`no record ${id} to update`)
        return put(before, { ...before, ...patch })
      },
      remove(id) {
        const record = records.get(id)
        if (records.delete(id)) replace(record, undefined)
      },
      all: () => where('', ''),
      where,
      first: (key, value) => where(key, value)[0],
      count: (key, value) => groupsOf.get(key)?.get(value)?.records.size ?? 0,
      watch: (listener) => void listeners.push(listener),
    }
  }
}
