// A page that is a list: its filter, its items, and the way to older ones.
import type { ComponentChildren } from 'preact'
import type { Page } from '../../../journal/types.ts'
import { inUtc } from '../utc.ts'
import { type FilterField, FilterForm } from './filter-form.tsx'
import { linkTo } from './links.ts'
import { type Column, List } from './list.tsx'
import { Pager } from './pager.tsx'

export interface FilteredListProps<T> {
  title: string
  path: string
  fields: readonly FilterField[]
  query: Record<string, string>
  page: Page<T>
  columns: readonly Column<T>[]
  /** What to do where there is nothing at all. */
  none: string
  /** What can be done with all of them. */
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
  const nothing = next !== undefined ? 'None on this page.' : isFiltered ? 'Nothing is like that. Clear the filter to see all.' : none
  return (
    <>
      <h1>{title}</h1>
      <FilterForm path={path} fields={fields} query={query} />
      {children}
      {query.after === undefined && <div class="fresh" role="status" data-live={liveLink(path, query, items[0])} />}
      <List of={title} items={items} columns={columns} none={nothing} />
      <Pager path={path} query={query} next={next} shown={items.length} />
    </>
  )
}

const liveLink = (path: string, query: Record<string, string>, newest: { id: string } | undefined) =>
  linkTo(`/live${path}`, { ...inUtc(query), ...(newest === undefined ? {} : { newest: newest.id }) })
