// Records by id and by declared keys. Records never change in place, so an older one shows what was before.

export interface Collection<T extends { readonly id: number }, Key extends string> {
  add(record: T): T
  get(id: number): T | undefined
  /** The record with the given fields replaced; throws for an unknown id, which is a mistake of ours. */
  update(id: number, patch: Partial<Omit<T, 'id'>>): T
  remove(id: number): void
  all(): T[]
  /** The records whose key has this value, in order of id. */
  where(key: Key, value: string | number): T[]
}

/** A collection with one index for each function in `keys`. */
export function createCollection<T extends { readonly id: number }, Key extends string = never>(
  keys: Record<Key, (record: T) => string | number>,
): Collection<T, Key> {
  const records = new Map<number, T>()
  const indexes = new Map<string, Map<string | number, Set<number>>>()
  const keyFunctions = Object.entries(keys) as [Key, (record: T) => string | number][]

  function enter(record: T): void {
    records.set(record.id, record)
    for (const [key, keyOf] of keyFunctions) {
      const index = indexes.get(key) ?? new Map<string | number, Set<number>>()
      indexes.set(key, index)
      const value = keyOf(record)
      const ids = index.get(value) ?? new Set<number>()
      index.set(value, ids.add(record.id))
    }
  }
  function withdraw(record: T): void {
    for (const [key, keyOf] of keyFunctions) indexes.get(key)?.get(keyOf(record))?.delete(record.id)
  }

  return {
    add(record) {
      enter(record)
      return record
    },
    get: (id) => records.get(id),
    update(id, patch) {
      const before = records.get(id)
      if (before === undefined) throw new Error(`no record ${id} to update`)
      const after = { ...before, ...patch }
      withdraw(before)
      enter(after)
      return after
    },
    remove(id) {
      const record = records.get(id)
      if (record === undefined) return
      withdraw(record)
      records.delete(id)
    },
    all: () => [...records.values()].sort((a, b) => a.id - b.id),
    where(key, value) {
      const ids = [...(indexes.get(key)?.get(value) ?? [])].sort((a, b) => a - b)
      return ids.flatMap((id) => records.get(id) ?? [])
    },
  }
}
