// A page with one list: what an operation of the admin API returns, a page at a time, with a filter if it has fields.
import type { ComponentChildren } from 'preact'
import type { JournalPage } from '../../../journal/types.ts'
import { type FilterField, FilterForm, inUtc } from '../forms/action-form.tsx'
import { type Column, List } from '../lists/list.tsx'
import { linkTo, Pager } from '../parts/links.tsx'
import type { DashboardPage, PageContext } from './page.ts'

interface ListPage<T> {
  title: string
  path: string
  operation: string
  columns: readonly Column<T>[]
  /** Shown for an empty list. */
  none: string
  /** The fields of the filter. With a filter the page also tells how many newer items there are (assets/dashboard.js). */
  fields?: readonly FilterField[]
  forms?: DashboardPage['forms']
  /** Shown above the list. */
  above?: (items: readonly T[], context: Pick<PageContext, 'query' | 'now'>) => ComponentChildren
}

export function listPage<T extends object>(given: ListPage<T>): DashboardPage {
  const { title, path, operation, columns, none, fields, forms, above } = given
  return {
    path,
    nav: title,
    forms,
    async show({ query, now, api }) {
      const { after, ...filter } = query
      const { items, next } = await api<JournalPage<T>>(operation, inUtc(query))
      const isFiltered = fields !== undefined && Object.keys(query).length > 0
      const noMatch = next === undefined ? 'No matches. Clear the filter to see all.' : 'None on this page.'
      return {
        title,
        body: (
          <>
            {fields && <FilterForm path={path} fields={fields} query={query} />}
            {above?.(items, { query, now })}
            {fields && after === undefined && <div class="new-items" role="status" />}
            <List of={title} items={items} columns={columns} none={isFiltered ? noMatch : none} />
            <Pager
              to={{
                Newest: after && linkTo(path, filter),
                [items.length === 0 ? 'Search further back' : 'Older']:
                  next && linkTo(path, { ...filter, after: next }),
              }}
            />
          </>
        ),
      }
    },
  }
}
