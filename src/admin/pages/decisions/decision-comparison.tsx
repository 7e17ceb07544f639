// A dry run: the past decisions, and what would be decided now.
import { refName } from '../../../rules/facts/definition/subject-ref.ts'
import type { Verdict } from '../../../rules/types.ts'
import type { DecisionComparison } from '../../api/decision-comparison.ts'
import type { DryRunResponse } from '../../api/routes/replays.ts'
import { Outcome } from '../lists/decision-columns.tsx'
import { type Column, List } from '../lists/list.tsx'
import { Badge, VerdictBadge } from '../parts/badge.tsx'
import { DecisionLink, MergeRequestLink, wordFor } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import { DecisionView } from './decision-view.tsx'

type VerdictChange = DecisionComparison['changed'][number]

const columns: Column<VerdictChange>[] = [
  { head: 'Rule', wide: true, cell: ({ rule }) => rule },
  { head: 'File', cell: ({ file }) => <span class="id">{file}</span> },
  { head: 'Then', cell: ({ before }) => <VerdictOrNone of={before} /> },
  { head: 'Now', cell: ({ now }) => <VerdictOrNone of={now} /> },
]

function VerdictOrNone({ of }: { of: Verdict | null }) {
  return of === null ? <Badge tone="idle">no such rule</Badge> : <VerdictBadge verdict={of} />
}

export function DryRun({ of: { mergeRequests } }: { of: DryRunResponse }) {
  if (mergeRequests.length === 0)
    return (
      <p class="none">
        It concerned no merge request and no issue. A replay parses it again, while its body is stored.
      </p>
    )
  return (
    <>
      {mergeRequests.map((each) => (
        <Comparison key={refName(each.mergeRequest)} of={each} />
      ))}
    </>
  )
}

function Comparison({ of: { mergeRequest, before, now, summary, changed } }: { of: DecisionComparison }) {
  return (
    <section class="part">
      <h2>
        {wordFor(mergeRequest)} <MergeRequestLink of={mergeRequest} />
      </h2>
      <div class="columns">
        <div class="column">
          <h3>Then</h3>
          {before.length === 0 && <p class="dim">No decision.</p>}
          {before.map((each) => (
            <p key={each.id}>
              <Outcome of={each} /> <Time at={each.at} /> <DecisionLink of={each} />
            </p>
          ))}
        </div>
        <div class="column">
          <h3>Now</h3>
          <p>{summary}</p>
        </div>
      </div>
      {changed.length > 0 && <List of="Changed verdicts" items={changed} columns={columns} none="" />}
      {now !== undefined && (
        <details class="rule">
          <summary>All rules now</summary>
          <DecisionView of={now} on={mergeRequest} made={false} />
        </details>
      )}
    </section>
  )
}
