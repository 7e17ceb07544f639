// Picks the fields of a record that a response shows or an update sets.
import type * as z from 'zod'

/** The fields of a record that the API shows under the same name. */
export function shownFields<T extends object, S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  record: T,
): Pick<T, keyof T & keyof S> {
  const names = Object.keys(schema.shape).filter((name) => name in record)
  return pick(record, ...(names as (keyof T & keyof S)[]))
}

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
