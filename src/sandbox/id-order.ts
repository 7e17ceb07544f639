// Records in order of id. Ids only grow, so the order of arrival is nearly always the order of ids, and sorting is the exception.

export interface IdOrder<T extends { readonly id: number }> {
  /** Enters a record, or puts it in the place of the one with its id. */
  set(record: T): void
  delete(id: number): void
  readonly size: number
  first(): T | undefined
  /** The same array until something changes; a change makes a new one. */
  list(): readonly T[]
}

export function createIdOrder<T extends { readonly id: number }>(): IdOrder<T> {
  let records = new Map<number, T>()
  let greatest = Number.NEGATIVE_INFINITY
  let sorted = true
  let listed: readonly T[] | undefined

  function sort(): void {
    if (sorted) return
    records = new Map([...records].sort(([a], [b]) => a - b))
    sorted = true
  }

  return {
    set(record) {
      if (record.id > greatest) greatest = record.id
      else if (!records.has(record.id)) sorted = false
      records.set(record.id, record)
      listed = undefined
    },
    delete(id) {
      if (records.delete(id)) listed = undefined
    },
    get size() {
      return records.size
    },
    first() {
      sort()
      return records.values().next().value
    },
    list() {
      sort()
      listed ??= [...records.values()]
      return listed
    },
  }
}
