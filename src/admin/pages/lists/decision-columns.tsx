// The columns of a list of decisions.
import type { DecisionRecord } from '../../../journal/types.ts'
import { Badge, ResultBadge } from '../parts/badge.tsx'
import { CommaList } from '../parts/details-list.tsx'
import { DecisionLink, MergeRequestLink } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import type { Column } from './list.tsx'

export function matchedRules({ rules }: Pick<DecisionRecord, 'rules'>) {
  return <CommaList of={rules.filter(({ verdict }) => verdict === 'true')} most={5} each={({ name }) => name} />
}

export const decisionColumns: Column<DecisionRecord>[] = [
  { head: 'Time', plain: true, cell: ({ at }) => <Time at={at} /> },
  { head: 'Merge request', plain: true, cell: ({ mergeRequest }) => <MergeRequestLink of={mergeRequest} /> },
  { head: 'Result', plain: true, cell: (decision) => <Outcome of={decision} /> },
  {
    head: 'Matched rules',
    wide: true,
    cell: matchedRules,
  },
  { head: 'Decision', plain: true, cell: (decision) => <DecisionLink of={decision} /> },
]

/** A badge for each call. */
export function Outcome({
  of: { calls, responses, paused },
}: {
  of: Pick<DecisionRecord, 'calls' | 'responses' | 'paused'>
}) {
  const unsent = calls.slice(responses.length)
  return (
    <span class="badges">
      {paused !== undefined && <Badge tone="warn">paused</Badge>}
      {calls.length === 0 && <Badge tone="idle">nothing to do</Badge>}
      {responses.map(({ call, result }, index) => (
        <ResultBadge key={index} of={call.action} result={result} />
      ))}
      {unsent.map(({ action }, index) => (
        <Badge key={index} tone="warn">{`${action}: not sent`}</Badge>
      ))}
    </span>
  )
}
