// Pages of lists that are ordered by time and id, newest first.

import type { JournalPage } from '../record-types.ts'
import type { ListFilter } from './where.ts'

/** The condition for the rows after a cursor: `columns` are a time and an id. All rows fit without a valid cursor. */
export function after(columns: string, cursor: string | undefined): ListFilter {
  const [, at, id] = /^(\S+) ([^\0]*)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? []
  const isPlace = at !== undefined && Number.isFinite(Date.parse(at))
  return [`(${columns}) < (?::timestamptz, ?)`, isPlace ? at : undefined, id]
}

/** The page of rows that were read with a limit of one more. */
export async function pageOf<Row extends { at: Date; id: string }, T>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => T | Promise<T>,
): Promise<JournalPage<T>> {
  const shown = rows.slice(0, limit)
  const items = await Promise.all(shown.map(item))
  const last = shown.at(-1)
  if (last === undefined || rows.length <= limit) return { items }
  return { items, next: Buffer.from(`${last.at.toISOString()} ${last.id}`).toString('base64url') }
}
