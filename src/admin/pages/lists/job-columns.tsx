// The columns of a list of jobs, with operations on each.
import type { JobSummary } from '../../api/jobs.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { DeliveryLink, MergeRequestLink } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import type { Column } from './list.tsx'

export const jobColumns: Column<JobSummary>[] = [
  { head: 'Added', plain: true, cell: ({ addedAt }) => <Time at={addedAt} /> },
  { head: 'State', plain: true, cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Subject', plain: true, cell: (job) => <Subject of={job} /> },
  { head: 'Attempts', cell: ({ attempts }) => attempts },
  { head: 'Failure', plain: true, wide: true, cell: ({ failure }) => failure },
  {
    head: 'Actions',
    plain: true,
    cell: ({ queue, id, state }) => (
      <div class="actions">
        {state === 'failed' && <ActionForm route="retry_job" params={{ queue, id }} button="Retry" />}
        {state === 'delayed' && <ActionForm route="promote_job" params={{ queue, id }} button="Run now" />}
        {state !== 'active' && <ActionForm route="discard_job" params={{ queue, id }} button="Discard" tone="danger" />}
      </div>
    ),
  },
]

function Subject({ of: { queue, id, mergeRequest } }: { of: JobSummary }) {
  if (mergeRequest !== undefined) return <MergeRequestLink of={mergeRequest} />
  if (queue !== 'deliveries') return <span class="id">{id}</span>
  return <DeliveryLink id={id} />
}
