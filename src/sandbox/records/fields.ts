// Picks the fields of a record that a response shows or an update sets.

export function pick<T, K extends keyof T>(record: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>
}

export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T & {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** Sorted by a key, then by id. */
export function sortBy<T extends { readonly id: number }>(
  records: readonly T[],
  sort: 'asc' | 'desc',
  keyOf: (record: T) => string | number,
): T[] {
  const direction = sort === 'asc' ? 1 : -1
  const keyed = records.map((record) => ({ record, key: keyOf(record) }))
  keyed.sort((a, b) => direction * (a.key === b.key ? a.record.id - b.record.id : a.key < b.key ? -1 : 1))
  return keyed.map(({ record }) => record)
}
