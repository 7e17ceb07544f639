// Merge requests that wait for people, and the conditions that people must meet.
import type { DecisionRecord } from '../../../journal/types.ts'
import { blockersOf, sayReason } from '../../../rules/explain/verdict.ts'
import { unlabelled } from '../../../rules/facts/definition/fact.ts'
import { factNamed } from '../../../rules/facts/index.ts'
import type { Trace } from '../../../rules/types.ts'
import { MergeRequestLink } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import { type Column, List, newestOfEach, Part, plain } from './list.tsx'

const mostShown = 20

/** An approval, or a thread to resolve. */
export const isOfPeople = ({ condition }: Trace) => factNamed(unlabelled(condition))?.waitsFor === 'review'

const missing = (decision: DecisionRecord) => blockersOf(decision).filter(isOfPeople)

const columns: Column<DecisionRecord>[] = [
  plain('Merge request', ({ mergeRequest }) => <MergeRequestLink of={mergeRequest} />, 'name'),
  plain(
    'Waits for',
    (decision) => missing(decision).map((each) => <div key={each.condition}>{each.toFix ?? sayReason(each)}</div>),
    'wide',
  ),
  plain('Evaluated', ({ at }) => <Time at={at} />),
]

/** `decisions`: the newest first. */
export function WaitingForPeople({ decisions }: { decisions: readonly DecisionRecord[] }) {
  const waiting = newestOfEach(decisions).filter((each) => missing(each).length > 0)
  return (
    <Part title="Waiting for people">
      <List
        of="Waiting for people"
        items={waiting.slice(0, mostShown)}
        columns={columns}
        none="Nothing that was evaluated lately waits for a review."
      />
      {waiting.length > mostShown && <p class="dim">And {waiting.length - mostShown} more.</p>}
    </Part>
  )
}
