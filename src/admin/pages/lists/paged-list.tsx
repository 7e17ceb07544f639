// A page with a heading, a list and a pager.
import type { ComponentChildren } from 'preact'
import type { JournalPage } from '../../../journal/types.ts'
import { type Column, List } from './list.tsx'
import { Pager } from './pager.tsx'

export interface PagedListProps<T> {
  title: string
  path: string
  query: Record<string, string>
  page: JournalPage<T>
  columns: readonly Column<T>[]
  /** Shown for an empty list. */
  none: string
  /** The name of the list, where it is not the title. */
  of?: string
  /** Above the list. */
  children?: ComponentChildren
}

export function PagedList<T>(given: PagedListProps<T>) {
  const { title, path, query, columns, none, of = title, children } = given
  const { items, next } = given.page
  return (
    <>
      <h1>{title}</h1>
      {children}
      <List of={of} items={items} columns={columns} none={none} />
      <Pager path={path} query={query} next={next} shown={items.length} />
    </>
  )
}
