// Deliveries, newest first.
import { deliveryStates } from '../../journal/delivery-states.ts'
import type { DeliveryRecord, JournalPage as ListPage } from '../../journal/types.ts'
import type { DashboardPage } from './definition/page.ts'
import { byMergeRequest, byTime, type FilterField } from './forms/filter-form.tsx'
import { inUtc } from './forms/utc-time.ts'
import { deliveryColumns } from './lists/delivery-columns.tsx'
import { FilteredList } from './lists/filtered-list.tsx'
import { afterSelection, SelectionButton } from './replay-selection.tsx'

const path = '/deliveries'

const fields: FilterField[] = [
  ...byMergeRequest,
  { name: 'state', label: 'State', type: deliveryStates },
  { name: 'outcome', label: 'Calls', type: ['failed'] },
  { name: 'kind', label: 'Event', type: 'text' },
  { name: 'rule', label: 'Matched rule', type: 'text' },
  ...byTime,
]

export const deliveriesPage: DashboardPage = {
  path,
  nav: 'Deliveries',
  live: 'list_deliveries',
  forms: { replay_selection: afterSelection },
  async show({ query, now, api }) {
    const input = inUtc(query)
    const page = await api<ListPage<DeliveryRecord>>('list_deliveries', input)
    const { after: _, limit: __, ...filter } = input
    const none =
      'No deliveries yet. Register the hook (bellhop hooks install), or press Test in the project’s web hook settings.'
    return {
      title: 'Deliveries',
      body: (
        <FilteredList title="Deliveries" {...{ path, fields, query, page, none }} columns={deliveryColumns}>
          {page.items.length > 0 && Object.keys(filter).length > 0 && (
            <SelectionButton filter={{ until: now, ...filter }} />
          )}
        </FilteredList>
      ),
    }
  },
}
