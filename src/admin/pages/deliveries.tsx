// Deliveries: what came in, newest first.
import { deliveryStates } from '../../journal/delivery-states.ts'
import type { DeliveryRecord, Page as ListPage } from '../../journal/types.ts'
import type { Page } from './page.ts'
import { deliveryColumns } from './parts/delivery-columns.tsx'
import { byMergeRequest, byTime, type FilterField } from './parts/filter-form.tsx'
import { FilteredList } from './parts/filtered-list.tsx'
import { afterSelection, SelectionButton } from './replay-selection.tsx'
import { inUtc } from './utc.ts'

const path = '/deliveries'

const fields: FilterField[] = [
  ...byMergeRequest,
  { name: 'state', label: 'State', type: deliveryStates },
  { name: 'outcome', label: 'Calls', type: ['failed'] },
  { name: 'kind', label: 'Kind', type: 'text' },
  { name: 'rule', label: 'Rule that held', type: 'text' },
  ...byTime,
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
        <FilteredList title="Deliveries" {...{ path, fields, query, page, none }} columns={deliveryColumns}>
          {page.items.length > 0 && Object.keys(filter).length > 0 && <SelectionButton filter={{ until: now, ...filter }} />}
        </FilteredList>
      ),
    }
  },
}
