// Deliveries, newest first.

import type { DeliveryRecord } from '../../journal/types.ts'
import { deliveryStates } from '../../journal/types.ts'
import { listPage } from './definition/list-page.tsx'
import { byMergeRequest, byTime, inUtc } from './forms/action-form.tsx'
import { deliveryColumns } from './lists/list.tsx'
import { afterSelection, SelectionButton } from './replay-selection.tsx'

export const deliveriesPage = listPage<DeliveryRecord>({
  title: 'Deliveries',
  path: '/deliveries',
  operation: 'list_deliveries',
  columns: deliveryColumns,
  fields: [
    ...byMergeRequest,
    { name: 'state', label: 'State', type: deliveryStates },
    { name: 'outcome', label: 'Calls', type: ['failed'] },
    { name: 'kind', label: 'Event', type: 'text' },
    { name: 'rule', label: 'Matched rule', type: 'text' },
    ...byTime,
  ],
  none: 'No deliveries yet. Register the hook (bellhop hooks install), or press Test in the project’s web hook settings.',
  forms: { replay_selection: afterSelection },
  above(items, { query, now }) {
    const { after: _, limit: __, ...filter } = inUtc(query)
    return items.length > 0 && Object.keys(filter).length > 0 && <SelectionButton filter={{ until: now, ...filter }} />
  },
})
