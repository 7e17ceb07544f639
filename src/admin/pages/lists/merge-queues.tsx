// Merge queues: state, builds and entries of each.
import type { MergeQueueSummary } from '../../api/merge-queue-responses.ts'
import { Badge } from '../parts/badge.tsx'
import { linkTo, ProjectLink, pathTo } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import { type Column, column, List, Part, plain } from './list.tsx'

export function QueueState({ of: { paused } }: { of: Pick<MergeQueueSummary, 'paused'> }) {
  if (paused === null) return <Badge tone="good">active</Badge>
  return (
    <>
      <Badge tone={paused.reason === 'by_operator' ? 'warn' : 'bad'}>paused</Badge> {paused.text}
    </>
  )
}

const columns: Column<MergeQueueSummary>[] = [
  plain('Merge queue', ({ project, target }) => <a href={linkTo(pathTo('merge-queues', project, target))}>{target}</a>),
  plain('Project', (each) => <ProjectLink of={each} />),
  plain('State', (each) => <QueueState of={each} />, 'wide'),
  column('Builds', ({ builds, window }) => `${builds} of ${window}`),
  column('Waiting', ({ entries }) => entries.waiting),
  column('Frozen', ({ entries }) => entries.frozen, 'spare'),
  column('Last merge', ({ lastLanding }) => lastLanding && <Time at={lastLanding} />),
]

/** Nothing where no merge request entered a queue. */
export function MergeQueues({ of }: { of: readonly MergeQueueSummary[] }) {
  if (of.length === 0) return null
  return (
    <Part title="Merge queues">
      <List of="Merge queues" items={of} columns={columns} none="" />
    </Part>
  )
}
