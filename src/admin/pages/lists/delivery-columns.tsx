// The columns of a list of deliveries.
import type { DeliveryRecord } from '../../../journal/types.ts'
import { StateBadge } from '../parts/badge.tsx'
import { CommaList } from '../parts/details-list.tsx'
import { DeliveryLink, linkTo, MergeRequestLink, pathTo } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import type { Column } from './list.tsx'

export const deliveryColumns: Column<DeliveryRecord>[] = [
  { head: 'Received', plain: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { head: 'State', plain: true, cell: ({ state }) => <StateBadge state={state} /> },
  {
    head: 'Event',
    plain: true,
    cell: ({ id, event, header }) => (
      <a class="one-line" href={linkTo(pathTo('deliveries', id))}>
        {event?.kind ?? header}
      </a>
    ),
  },
  {
    head: 'Subjects',
    plain: true,
    cell: ({ mergeRequests }) => <CommaList of={mergeRequests} each={(each) => <MergeRequestLink of={each} />} />,
  },
  { head: 'Reason', plain: true, wide: true, cell: ({ reason }) => reason },
  {
    head: 'Delivery',
    spare: true,
    cell: ({ id }) => <DeliveryLink id={id} text={id.length > 20 ? `${id.slice(0, 18)}…` : id} />,
  },
]
