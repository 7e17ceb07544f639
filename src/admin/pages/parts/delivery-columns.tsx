// How deliveries are listed: when, what it said, about what, and what became of it.
import type { DeliveryRecord } from '../../../journal/types.ts'
import { StateBadge } from './badge.tsx'
import { Several } from './facts.tsx'
import { linkTo, pathTo } from './links.ts'
import type { Column } from './list.tsx'
import { MergeRequestLink } from './merge-request-link.tsx'
import { Time } from './time.tsx'

export const deliveryColumns: Column<DeliveryRecord>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Kind', cell: ({ event, header }) => <span class="one-line">{event?.kind ?? header}</span> },
  { head: 'Merge requests', cell: ({ mergeRequests }) => <Several of={mergeRequests} each={(each) => <MergeRequestLink of={each} />} /> },
  { head: 'Reason', wide: true, cell: ({ reason }) => reason },
  {
    head: 'Delivery',
    cell: ({ id }) => (
      <a class="id" href={linkTo(pathTo('deliveries', id))}>
        {id.length > 20 ? `${id.slice(0, 18)}…` : id}
      </a>
    ),
  },
]
