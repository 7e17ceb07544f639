// Merge queues: state, builds and entries of each.
import type { MergeQueueSummary } from '../api/merge-queue-responses.ts'
import { listPage } from './definition/list-page.tsx'
import { column, plain } from './lists/list.tsx'
import { Badge } from './parts/badge.tsx'
import { linkTo, ProjectLink, pathTo } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

export function QueueState({ of: { paused } }: { of: Pick<MergeQueueSummary, 'paused'> }) {
  if (paused === null) return <Badge tone="good">active</Badge>
  return (
    <>
      <Badge tone={paused.reason === 'by_operator' ? 'warn' : 'bad'}>paused</Badge> {paused.text}
    </>
  )
}

export const mergeQueuesPage = listPage<MergeQueueSummary>({
  title: 'Merge queues',
  path: '/merge-queues',
  operation: 'list_merge_queues',
  columns: [
    plain('Merge queue', ({ project, target }) => (
      <a href={linkTo(pathTo('merge-queues', project, target))}>{target}</a>
    )),
    plain('Project', (each) => <ProjectLink of={each} />),
    plain('State', (each) => <QueueState of={each} />, 'wide'),
    column('Builds', ({ builds, window }) => `${builds} of ${window}`),
    column('Waiting', ({ entries }) => entries.waiting),
    column('Frozen', ({ entries }) => entries.frozen, 'spare'),
    column('Last merge', ({ lastLanding }) => lastLanding && <Time at={lastLanding} />),
  ],
  none: 'No merge request entered a merge queue yet. Rules put them there: accept: { queue: main }',
  above: () => (
    <p class="dim">
      Each tests merge requests on top of those before them, and merges what was green: one queue for each target
      branch.
    </p>
  ),
})
