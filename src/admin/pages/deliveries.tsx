// Deliveries: what came in, newest first.
import { deliveryStates } from '../../journal/delivery-states.ts'
import type { DeliveryRecord, Page as ListPage } from '../../journal/types.ts'
import type { Page } from './page.ts'
import { StateBadge } from './parts/badge.tsx'
import { Several } from './parts/facts.tsx'
import { byMergeRequest, byTime, type FilterField } from './parts/filter-form.tsx'
import { FilteredList } from './parts/filtered-list.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import type { Column } from './parts/list.tsx'
import { MergeRequestLink } from './parts/merge-request-link.tsx'
import { Time } from './parts/time.tsx'
import { afterSelection, SelectionButton } from './replay-selection.tsx'
import { inUtc } from './utc.ts'

const path = '/deliveries'

const fields: FilterField[] = [
  ...byMergeRequest,
  { name: 'state', label: 'State', type: deliveryStates },
  { name: 'kind', label: 'Kind', type: 'text' },
  { name: 'rule', label: 'Rule that held', type: 'text' },
  ...byTime,
]

const columns: Column<DeliveryRecord>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Kind', cell: ({ event, header }) => <span class="one-line">{event?.kind ?? header}</span> },
  { head: 'Merge requests', cell: ({ mergeRequests }) => <Several of={mergeRequests} each={(each) => <MergeRequestLink of={each} />} /> },
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

export const deliveriesPage: Page = {
  path,
  nav: 'Deliveries',
  live: 'list_deliveries',
  forms: { replay_selection: afterSelection },
  async show({ query, now, ask }) {
    const input = inUtc(query)
    const page = await ask<ListPage<DeliveryRecord>>('list_deliveries', { input })
    const { after: _, limit: __, ...filter } = input
    const none = 'Nothing came in yet. Register the hook (bellhop hooks install), or press Test in the project’s web hook settings.'
    return {
      title: 'Deliveries',
      body: (
        <FilteredList title="Deliveries" {...{ path, fields, query, page, columns, none }}>
          {page.items.length > 0 && Object.keys(filter).length > 0 && <SelectionButton filter={{ until: now, ...filter }} />}
        </FilteredList>
      ),
    }
  },
}
