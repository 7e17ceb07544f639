// A page with a filter, a list and a pager.
import type { ComponentChildren } from 'preact'
import type { JournalPage } from '../../../journal/types.ts'
import { type FilterField, FilterForm } from '../forms/filter-form.tsx'
import { inUtc } from '../forms/utc-time.ts'
import { linkTo } from '../parts/links.tsx'
import { type Column, List } from './list.tsx'
import { Pager } from './pager.tsx'

export interface FilteredListProps<T> {
  title: string
  path: string
  fields: readonly FilterField[]
  query: Record<string, string>
  page: JournalPage<T>
  columns: readonly Column<T>[]
  /** Shown for an empty list without a filter. */
  none: string
  /** Operations on all items. */
  children?: ComponentChildren
}

export function FilteredList<T extends { id: string }>({
  title,
  path,
  fields,
  query,
  page: { items, next },
  columns,
  none,
  children,
}: FilteredListProps<T>) {
  const isFiltered = Object.keys(query).length > 0
  const nothing =
    next !== undefined ? 'None on this page.' : isFiltered ? 'No matches. Clear the filter to see all.' : none
  return (
    <>
      <h1>{title}</h1>
      <FilterForm path={path} fields={fields} query={query} />
      {children}
      {query.after === undefined && <div class="new-items" role="status" data-live={liveLink(path, query, items[0])} />}
      <List of={title} items={items} columns={columns} none={nothing} />
      <Pager path={path} query={query} next={next} shown={items.length} />
    </>
  )
}

const liveLink = (path: string, query: Record<string, string>, newest: { id: string } | undefined) =>
  linkTo(`/live${path}`, { ...inUtc(query), ...(newest === undefined ? {} : { newest: newest.id }) })
