// A list with a filter, which tells how many newer items there are.
import { type FilterField, FilterForm } from '../forms/filter-form.tsx'
import { inUtc } from '../forms/utc-time.ts'
import { linkTo } from '../parts/links.tsx'
import { PagedList, type PagedListProps } from './paged-list.tsx'

/** `none` is shown without a filter only. */
export type FilteredListProps<T> = Omit<PagedListProps<T>, 'of'> & { fields: readonly FilterField[] }

export function FilteredList<T extends { id: string }>({ fields, none, children, ...list }: FilteredListProps<T>) {
  const { path, query, page } = list
  const isFiltered = Object.keys(query).length > 0
  const nothing =
    page.next !== undefined ? 'None on this page.' : isFiltered ? 'No matches. Clear the filter to see all.' : none
  return (
    <PagedList {...list} none={nothing}>
      <FilterForm path={path} fields={fields} query={query} />
      {children}
      {query.after === undefined && (
        <div class="new-items" role="status" data-live={liveLink(path, query, page.items[0])} />
      )}
    </PagedList>
  )
}

const liveLink = (path: string, query: Record<string, string>, newest: { id: string } | undefined) =>
  linkTo(`/live${path}`, { ...inUtc(query), ...(newest === undefined ? {} : { newest: newest.id }) })
