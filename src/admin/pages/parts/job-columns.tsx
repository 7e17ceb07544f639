// How jobs of the queue are listed, with what can be done with each.
import type { JobAnswer } from '../../shown-jobs.ts'
import { ActionForm } from './action-form.tsx'
import { StateBadge } from './badge.tsx'
import { linkTo, pathTo } from './links.ts'
import type { Column } from './list.tsx'
import { MergeRequestLink } from './merge-request-link.tsx'
import { Time } from './time.tsx'

export const jobColumns: Column<JobAnswer>[] = [
  { head: 'Added', cell: ({ addedAt }) => <Time at={addedAt} /> },
  { head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'About', cell: (job) => <About of={job} /> },
  { head: 'Attempts', cell: ({ attempts }) => attempts },
  { head: 'Why it failed', wide: true, cell: ({ failure }) => failure },
  {
    head: 'Do',
    cell: ({ lane, id, state }) => (
      <div class="actions">
        {state === 'failed' && <ActionForm route="retry_job" params={{ lane, id }} button="Retry" />}
        {state === 'delayed' && <ActionForm route="promote_job" params={{ lane, id }} button="Run now" />}
        {state !== 'active' && <ActionForm route="discard_job" params={{ lane, id }} button="Discard" tone="danger" />}
      </div>
    ),
  },
]

function About({ of: { lane, id, about } }: { of: JobAnswer }) {
  if (about !== undefined) return <MergeRequestLink of={about} />
  if (lane !== 'deliveries') return <span class="id">{id}</span>
  return (
    <a class="id" href={linkTo(pathTo('deliveries', id))}>
      {id}
    </a>
  )
}
