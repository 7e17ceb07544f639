// Deliveries: what came in, newest first.
import type { DeliveryRecord, Page as ListPage } from '../../journal/types.ts'
import type { Page } from './page.ts'
import { StateBadge } from './parts/badge.tsx'
import { type FilterField, FilterForm } from './parts/filter-form.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { type Column, List } from './parts/list.tsx'
import { MergeRequestLink } from './parts/merge-request-link.tsx'
import { Pager } from './parts/pager.tsx'
import { Time } from './parts/time.tsx'
import { inUtc } from './utc.ts'

const path = '/deliveries'
const states = ['received', 'read', 'uninteresting', 'unreadable', 'refused']

const fields: FilterField[] = [
  { name: 'project', label: 'Project', type: 'number' },
  { name: 'iid', label: 'Merge request !', type: 'number' },
  { name: 'state', label: 'State', type: states },
  { name: 'kind', label: 'Kind', type: 'text' },
  { name: 'since', label: 'Since (UTC)', type: 'time' },
  { name: 'until', label: 'Before (UTC)', type: 'time' },
]

const columns: Column<DeliveryRecord>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Kind', cell: ({ event, header }) => event?.kind ?? header },
  { head: 'Merge requests', cell: ({ mergeRequests }) => <Several of={mergeRequests} /> },
  { head: 'Reason', wide: true, cell: ({ reason }) => reason },
  {
    head: 'Delivery',
    cell: ({ id }) => (
      <a class="id" href={linkTo(path + pathTo(id))}>
        {id.length > 20 ? `${id.slice(0, 18)}…` : id}
      </a>
    ),
  },
]

/** Of a push to a target branch there may be many. */
function Several({ of }: { of: DeliveryRecord['mergeRequests'] }) {
  const shown = of.slice(0, 3)
  return (
    <>
      {shown.map((each) => (
        <>
          <MergeRequestLink of={each} />{' '}
        </>
      ))}
      {of.length > shown.length && `and ${of.length - shown.length} more`}
    </>
  )
}

export const deliveriesPage: Page = {
  path,
  nav: 'Deliveries',
  async show({ query, ask }) {
    const { items, next } = await ask<ListPage<DeliveryRecord>>('list_deliveries', { input: inUtc(query) })
    const none =
      next !== undefined
        ? 'None on this page of what is kept.'
        : Object.keys(query).length > 0
          ? 'No delivery is like that. Clear the filter to see all.'
          : 'Nothing came in yet. Register the hook (bellhop hooks install), or press Test in the project’s web hook settings.'
    return {
      title: 'Deliveries',
      body: (
        <>
          <h1>Deliveries</h1>
          <FilterForm path={path} fields={fields} query={query} />
          <List of="Deliveries" items={items} columns={columns} none={none} />
          <Pager path={path} query={query} next={next} shown={items.length} />
        </>
      ),
    }
  },
}
