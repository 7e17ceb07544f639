// A backtest: the totals of each rule, and the merge requests and issues that a rule matched or might match.
import {
  actionCounts,
  type Backtest,
  type BacktestOutcome,
  type RuleTotals,
  relevant,
  summaryOf,
  totals,
} from '../../../rules/backtest/totals.ts'
import type { NamedRef } from '../../../rules/facts/definition/subject-ref.ts'
import { count } from '../../../rules/language/values/wording.ts'
import { type Column, column, List, plain } from '../lists/list.tsx'
import { Badge } from '../parts/badge.tsx'
import { MergeRequestLink } from '../parts/links.tsx'

const rules: Column<RuleTotals>[] = [
  plain('Rule', ({ rule }) => rule, 'wide'),
  column('Matched', (each) => (each.forEvents ? 'for events: not evaluated' : each.matched)),
  column('Not matched', (each) => !each.forEvents && each.notMatched),
  column('Unknown', (each) => !each.forEvents && each.unknown),
  column('Actions', actionCounts),
]

function columnsFor({ project, path }: NamedRef): Column<BacktestOutcome>[] {
  return [
    plain('Subject', ({ iid, subject }) => <MergeRequestLink of={{ project, path, iid, subject }} />),
    plain('State', ({ state }) => <Badge tone="idle">{state}</Badge>),
    plain('Title', ({ title }) => title, 'wide'),
    column('Matched rules', (each) => summaryOf(each).matched.join(', ')),
    column('Actions', (each) => summaryOf(each).actions.join(', ')),
    column('Unknown', (each) => summaryOf(each).unknown.join(', ')),
  ]
}

export function BacktestView({ of, project }: { of: Backtest; project: NamedRef }) {
  const { outcomes, found, calls, stopped } = of
  const all = totals(outcomes)
  const shown = relevant(outcomes)
  return (
    <>
      <h2>Backtest</h2>
      <p>
        {all.evaluated} of {found} evaluated with {count(calls.made, 'API call')}.
        {all.evaluated > all.decided &&
          ` ${all.evaluated - all.decided} not decided, because facts of the past are unknown. An action with a question mark depends on such a fact.`}
      </p>
      {stopped !== undefined && <p class="notice">Stopped: {stopped.reason}.</p>}
      <List of="Rules" items={all.rules} columns={rules} none="The text has no rules." />
      <List
        of="Merge requests and issues"
        items={shown}
        columns={columnsFor(project)}
        none="No rule matches any of these."
      />
      {shown.length > 0 && outcomes.length > shown.length && (
        <p class="dim">{`${outcomes.length - shown.length} others without a matched rule.`}</p>
      )}
    </>
  )
}
