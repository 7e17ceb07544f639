// Prints a backtest: merge requests and issues, rules, totals.
import {
  actionCounts,
  type Backtest,
  type BacktestOutcome,
  type RuleTotals,
  relevant,
  summaryOf,
  type Totals,
  totals,
} from '../../rules/backtest/totals.ts'
import { type NamedRef, refName } from '../../rules/facts/definition/subject-ref.ts'
import { count, cut } from '../../rules/language/values/wording.ts'
import { colours } from '../output/colours.ts'
import { type Cell, tableOf } from '../output/table.ts'
import { plain } from '../output/terminal-text.ts'

type ProjectName = Pick<NamedRef, 'project' | 'path'>

function rowOf(outcome: BacktestOutcome, of: ProjectName): Cell[] {
  const { iid, subject, title, url, state } = outcome
  const { matched, actions, unknown } = summaryOf(outcome)
  const titled = [cut(title, 39), ...(url === undefined ? [] : [url])]
  return [refName({ ...of, iid, subject }), state, titled, matched, actions.join(', '), unknown.join(', ')]
}

function mergeRequestTable(outcomes: readonly BacktestOutcome[], of: ProjectName): string[] {
  const shown = relevant(outcomes)
  const others = outcomes.length - shown.length
  const head = [
    outcomes.some(({ subject }) => subject === 'issue') ? 'subject' : 'merge request',
    'state',
    'title',
    'matched rules',
    'actions',
    'unknown facts',
  ]
  const rows = shown.map((each) => rowOf(each, of))
  return [
    ...(rows.length === 0 ? [] : [tableOf(head, rows)]),
    ...(others === 0 ? [] : [`${others} without a matched rule.`]),
  ]
}

function ruleTable(rules: readonly RuleTotals[]): string {
  const rows = rules.map((each) => [
    `${each.rule} (${each.file})`,
    ...(each.forEvents
      ? ['', '', '', 'for events: not evaluated']
      : [each.matched, each.notMatched, each.unknown, actionCounts(each)]),
  ])
  return tableOf(['rule', 'matched', 'not matched', 'unknown', 'actions'], rows)
}

function formatSeen({ kept, not }: NonNullable<Totals['seen']>): string {
  const rest = not === 0 ? '' : ` Nothing for ${not}: their last head was not evaluated while open, or too long ago.`
  return `The bot had stored facts of ${kept} merged or closed ones.${rest}`
}

function foundAs(outcomes: readonly BacktestOutcome[], found: number): string {
  return outcomes.some(({ subject }) => subject === 'issue') ? `${found} found` : count(found, 'merge request')
}

export function backtestLines({ outcomes, found, calls, stopped }: Backtest, of: ProjectName): string[] {
  const { evaluated, decided, unknownFacts, rules, seen } = totals(outcomes)
  const why = Object.entries(unknownFacts).map(([fact, number]) => `${fact} (${number})`)
  const undecided = evaluated - decided
  return [
    ...mergeRequestTable(outcomes, of),
    '',
    ...(rules.length === 0 ? ['No rules are in force.'] : [ruleTable(rules), '']),
    colours.bold(`${evaluated} of ${foundAs(outcomes, found)} evaluated: ${decided} decided, ${undecided} not.`),
    ...(why.length === 0 ? [] : [`Unknown facts: ${why.join(', ')}.`]),
    ...(rules.some(({ actions }) => Object.values(actions).some((each) => each.unknown > 0))
      ? ['? after an action: unknown facts decide whether it is done.']
      : []),
    ...(seen === undefined ? [] : [formatSeen(seen)]),
    `${count(calls.made, 'API call')}.`,
    ...(stopped === undefined ? [] : [colours.yellow(`Stopped: ${plain(stopped.reason)}.`)]),
  ]
}

export function backtestJson({ outcomes, found, calls, stopped }: Backtest) {
  const { evaluated, ...rest } = totals(outcomes)
  return {
    found,
    evaluated,
    ...rest,
    calls,
    stopped: stopped?.reason,
    mergeRequests: outcomes,
  }
}
