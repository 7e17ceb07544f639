// The columns of a list of decisions.
import { matchedRules } from '../../../journal/decision-outcome.ts'
import type { DecisionRecord } from '../../../journal/types.ts'
import { Badge, ResultBadge } from '../parts/badge.tsx'
import { CommaList } from '../parts/details-list.tsx'
import { DecisionLink, MergeRequestLink } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import type { Column } from './list.tsx'

export function MatchedRules({ of }: { of: Pick<DecisionRecord, 'rules'> }) {
  return <CommaList of={matchedRules(of)} most={5} each={(name) => name} />
}

export const decisionColumns: Column<DecisionRecord>[] = [
  { head: 'Time', plain: true, cell: ({ at }) => <Time at={at} /> },
  { head: 'Subject', plain: true, cell: ({ mergeRequest }) => <MergeRequestLink of={mergeRequest} /> },
  { head: 'Result', plain: true, cell: (decision) => <Outcome of={decision} /> },
  { head: 'Matched rules', wide: true, cell: (decision) => <MatchedRules of={decision} /> },
  { head: 'Decision', plain: true, cell: (decision) => <DecisionLink of={decision} /> },
]

/** A badge for each outcome: calls of one action with the same result are one. */
export function Outcome({
  of: { calls, responses, paused },
}: {
  of: Pick<DecisionRecord, 'calls' | 'responses' | 'paused'>
}) {
  const results = new Map(
    responses.map(({ call: { action }, result }) => [JSON.stringify([action, result]), { action, result }]),
  )
  const unsent = new Set(calls.slice(responses.length).map(({ action }) => action))
  return (
    <span class="badges">
      {paused !== undefined && <Badge tone="warn">paused</Badge>}
      {calls.length === 0 && <Badge tone="idle">nothing to do</Badge>}
      {[...results].map(([key, { action, result }]) => (
        <ResultBadge key={key} of={action} result={result} />
      ))}
      {[...unsent].map((action) => (
        <Badge key={action} tone="warn">{`${action}: not sent`}</Badge>
      ))}
    </span>
  )
}
