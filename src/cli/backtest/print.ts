// How a backtest is printed: a table of merge requests, a table of rules, and the sums.
import Table from 'cli-table3'
import { colours } from '../colours.ts'
import { plain } from '../terminal-text.ts'
import type { Backtest } from './backtest.ts'
import type { Outcome, RuleOutcome } from './outcome.ts'
import { type RuleTotals, type Totals, totals } from './totals.ts'

const style = { head: [], border: [], compact: true }
const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** `label, accept?`: with a question mark where it depends on what is not known. */
function doing({ actions }: RuleOutcome): string[] {
  return actions.flatMap(({ action, result }) => (result === 'call' ? [action] : result === 'unknown' ? [`${action}?`] : []))
}

function rowOf({ iid, title, state, rules }: Outcome): string[] {
  const holding = rules.filter(({ verdict }) => verdict === 'true')
  return [
    `!${iid}`,
    plain(state),
    short(plain(title), 40),
    holding.map(({ rule }) => plain(rule)).join('\n'),
    [...new Set(holding.flatMap(doing))].join(', '),
    [...new Set(rules.flatMap(({ unknown }) => unknown))].join(', '),
  ]
}

function mergeRequestTable(outcomes: readonly Outcome[]): string[] {
  const told = outcomes.filter(({ rules }) => rules.some(({ verdict, unknown }) => verdict === 'true' || unknown.length > 0))
  const others = outcomes.length - told.length
  const table = new Table({ head: ['', 'state', 'title', 'rules that hold', 'would do', 'not known'], style })
  table.push(...told.map(rowOf))
  return [
    ...(told.length === 0 ? [] : [table.toString()]),
    ...(others === 0 ? [] : [`${told.length === 0 ? 'For' : 'And for'} ${others} of them no rule holds.`]),
  ]
}

function sayActions({ actions }: RuleTotals): string {
  const said = Object.entries(actions).flatMap(([action, { done, unknown }]) => [
    ...(done === 0 ? [] : [`${action} ${done}`]),
    ...(unknown === 0 ? [] : [`${action} ${unknown}?`]),
  ])
  return said.join(', ')
}

function ruleTable(rules: readonly RuleTotals[]): string {
  const table = new Table({ head: ['rule', 'holds', 'does not', 'not known', 'would do'], style })
  for (const each of rules) {
    const numbers = each.forEvents
      ? ['', '', '', 'for events: not judged']
      : [each.holds, each.doesNot, each.unknown, sayActions(each)].map(String)
    table.push([plain(`${each.rule} (${each.file})`), ...numbers])
  }
  return table.toString()
}

function saySeen({ kept, not }: NonNullable<Totals['seen']>): string {
  const rest = not === 0 ? '' : ` Of ${not} it kept nothing: it did not judge the last head while that was open, or too long ago.`
  return `Of ${kept} that are over, the bot kept what its rules had made it read.${rest}`
}

/** Lines for people. */
export function backtestLines({ outcomes, found, calls, stopped }: Backtest): string[] {
  const { judged, decided, unknownFacts, rules, seen } = totals(outcomes)
  const why = Object.entries(unknownFacts).map(([fact, number]) => `${fact} (${number})`)
  const undecided = judged - decided
  return [
    ...mergeRequestTable(outcomes),
    '',
    ...(rules.length === 0 ? ['No rules are in force.'] : [ruleTable(rules), '']),
    colours.bold(`${judged} of ${found} merge requests judged: ${decided} decided, ${undecided} not.`),
    ...(why.length === 0 ? [] : [`Not known for that many: ${why.join(', ')}.`]),
    ...(seen === undefined ? [] : [saySeen(seen)]),
    `${calls.made} API calls.`,
    ...(stopped === undefined ? [] : [colours.yellow(`Stopped: ${plain(stopped.reason)}.`)]),
  ]
}

/** The same for programs. */
export function backtestJson({ outcomes, found, calls, stopped }: Backtest) {
  return { found, ...totals(outcomes), calls, ...(stopped === undefined ? {} : { stopped: stopped.reason }), mergeRequests: outcomes }
}
