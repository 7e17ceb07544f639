// A dry replay: what was decided then, beside what would be decided now.
import type { Verdict } from '../../../rules/types.ts'
import type { Beside } from '../../beside.ts'
import type { DryRunAnswer } from '../../routes/replays.ts'
import { Badge, VerdictBadge } from './badge.tsx'
import { DecisionLink, Outcome } from './decision-columns.tsx'
import { DecisionView } from './decision-view.tsx'
import { type Column, List } from './list.tsx'
import { MergeRequestLink } from './merge-request-link.tsx'
import { Time } from './time.tsx'

type Changed = Beside['changed'][number]

const columns: Column<Changed>[] = [
  { head: 'Rule', wide: true, cell: ({ rule }) => rule },
  { head: 'File', cell: ({ file }) => <span class="id">{file}</span> },
  { head: 'Then', cell: ({ was }) => <VerdictOrNone of={was} /> },
  { head: 'Now', cell: ({ is }) => <VerdictOrNone of={is} /> },
]

function VerdictOrNone({ of }: { of: Verdict | null }) {
  return of === null ? <Badge tone="idle">no such rule</Badge> : <VerdictBadge verdict={of} />
}

/** Of one delivery or decision. */
export function DryReplay({ of: { mergeRequests } }: { of: DryRunAnswer }) {
  if (mergeRequests.length === 0)
    return <p class="none">It concerned no merge request. Replayed, it is read once more, while its body is kept.</p>
  return (
    <>
      {mergeRequests.map((each) => (
        <ThenAndNow key={`${each.mergeRequest.project}!${each.mergeRequest.iid}`} of={each} />
      ))}
    </>
  )
}

function ThenAndNow({ of: { mergeRequest, before, now, says, changed } }: { of: Beside }) {
  return (
    <section class="beside">
      <h2>
        About <MergeRequestLink of={mergeRequest} />
      </h2>
      <div class="halves">
        <div class="half">
          <h3>Then</h3>
          {before.length === 0 && <p class="dim">Nothing was decided.</p>}
          {before.map((each) => (
            <p key={each.id}>
              <Outcome of={each} /> <Time at={each.at} /> <DecisionLink of={each} />
            </p>
          ))}
        </div>
        <div class="half">
          <h3>Now</h3>
          <p>{says}</p>
        </div>
      </div>
      {changed.length > 0 && <List of="Rules whose verdict is another now" items={changed} columns={columns} none="" />}
      {now !== undefined && (
        <details class="rule">
          <summary>Each rule as it is judged now</summary>
          <DecisionView of={now} made={false} />
        </details>
      )}
    </section>
  )
}
