// The columns of a list of deliveries.
import type { DeliveryRecord } from '../../../journal/types.ts'
import { StateBadge } from '../parts/badge.tsx'
import { CommaList } from '../parts/details-list.tsx'
import { DeliveryLink, MergeRequestLink } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import type { Column } from './list.tsx'

export const deliveryColumns: Column<DeliveryRecord>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Event', cell: ({ event, header }) => <span class="one-line">{event?.kind ?? header}</span> },
  {
    head: 'Merge requests',
    cell: ({ mergeRequests }) => <CommaList of={mergeRequests} each={(each) => <MergeRequestLink of={each} />} />,
  },
  { head: 'Reason', wide: true, cell: ({ reason }) => reason },
  {
    head: 'Delivery',
    cell: ({ id }) => <DeliveryLink id={id} text={id.length > 20 ? `${id.slice(0, 18)}…` : id} />,
  },
]
