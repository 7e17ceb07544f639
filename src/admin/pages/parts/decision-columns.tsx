// How decisions are listed: when, about what, which rules held, and what came of it.
import type { DecisionRecord } from '../../../journal/types.ts'
import { Badge, ResultBadge } from './badge.tsx'
import { Several } from './facts.tsx'
import { linkTo, pathTo } from './links.ts'
import type { Column } from './list.tsx'
import { MergeRequestLink } from './merge-request-link.tsx'
import { Time } from './time.tsx'

/** By name, with commas. */
export function heldRules({ rules }: Pick<DecisionRecord, 'rules'>) {
  return <Several of={rules.filter(({ verdict }) => verdict === 'true')} most={5} each={({ name }) => name} />
}

export const decisionColumns: Column<DecisionRecord>[] = [
  { head: 'Decided', cell: ({ at }) => <Time at={at} /> },
  { head: 'Merge request', cell: ({ mergeRequest }) => <MergeRequestLink of={mergeRequest} /> },
  { head: 'Came of it', cell: (decision) => <Outcome of={decision} /> },
  {
    head: 'Rules that held',
    wide: true,
    cell: heldRules,
  },
  { head: 'Decision', cell: (decision) => <DecisionLink of={decision} /> },
]

export function DecisionLink({ of: { id } }: { of: Pick<DecisionRecord, 'id'> }) {
  return (
    <a class="id" href={linkTo(pathTo('decisions', id))}>
      {id.slice(0, 8)}
    </a>
  )
}

/** A badge for each call. */
export function Outcome({ of: { calls, answers, paused } }: { of: Pick<DecisionRecord, 'calls' | 'answers' | 'paused'> }) {
  const unsent = calls.slice(answers.length)
  return (
    <span class="badges">
      {paused !== undefined && <Badge tone="warn">paused</Badge>}
      {calls.length === 0 && <Badge tone="idle">nothing to do</Badge>}
      {answers.map(({ call, result }, index) => (
        <ResultBadge key={index} of={call.action} result={result} />
      ))}
      {unsent.map(({ action }, index) => (
        <Badge key={index} tone="warn">{`${action}: not sent`}</Badge>
      ))}
    </span>
  )
}
