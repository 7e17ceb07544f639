// `bellhop backtest PROJECT`: what rules would have decided about past merge requests and issues. Sends nothing.
import { Command } from 'commander'
import { backtest as run } from '../../bot/backtest/backtest.ts'
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
import { memoryAndPast, type RunningBotFlags, withRunningBot } from '../admin/admin-client.ts'
import { openProject, type RuleFlags, withRules } from '../explain/rules-for.ts'
import { type Cell, tableOf } from '../output/table.ts'
import { colours, createProgress, formatOption, plain, printAs } from '../output/terminal-text.ts'
import { orUserError } from '../service/connect.ts'
import { withService } from '../service/service-options.ts'
import { argument, positive } from '../settings/setting.ts'
import { UserError } from '../user-error.ts'

interface BacktestFlags extends RuleFlags, RunningBotFlags {
  last: number
  maxCalls: number
  format: 'text' | 'json'
}

const help = `
Where rules are for issues, as many issues are evaluated. Open ones are evaluated as they are now; merged and closed ones as they were
just before, by what cannot have changed since or what the service still tells: author, branches, commits, changed files, labels, and for
merged ones who pushed and the pipeline. Approvals, notes and activity of then are unknown; the table shows for how many merge requests
that matters. Project settings are those of today. Rules with on: are not evaluated.

--bellhop URL asks a running bot, with the token BELLHOP_ADMIN_TOKEN, what it last read of each while it was open, such as approvals. The
bot stores that for 30 days.

Examples:
  $ bellhop backtest hotel/app --last 50
  $ bellhop backtest hotel/app --rules new-rules.yml --format json`

export function backtest(): Command {
  const command = new Command()
    .argument('<project>', 'id or path of the project, such as hotel/app')
    .option('--last <number>', 'number of merge requests, and of issues, newest first', argument(positive), 200)
    .option('--max-calls <number>', 'stop after this many API calls', argument(positive), 2000)
    .addOption(formatOption())
  return withRunningBot(withService(withRules(command)))
    .addHelpText('after', help)
    .action(perform)
}

function countBoth(mergeRequests: number, issues: number): string {
  if (issues === 0) return count(mergeRequests, 'merge request')
  return `${mergeRequests > 0 ? `${count(mergeRequests, 'merge request')} and ` : ''}${count(issues, 'issue')}`
}

async function perform(path: string, { last, maxCalls, format, ...flags }: BacktestFlags): Promise<void> {
  const progress = createProgress()
  await orUserError(async () => {
    const { problems, policy, ...opened } = await openProject(path, flags)
    if (problems.length > 0) throw new UserError(problems.join('\n'))
    const result = await run({
      ...opened,
      // As if the rules were turned on; the operator's limits stay.
      policy: policy && { ...policy, mode: 'act' },
      last,
      maxCalls,
      ...memoryAndPast(flags),
      offLabel: flags.offLabel,
      now: () => Date.now(),
      onPlan: ({ mergeRequests, issues, calls }) =>
        process.stderr.write(
          `${countBoth(mergeRequests, issues)}, about ${count(calls, 'API call')}, more for lists of several pages; stops after ${maxCalls}.\n`,
        ),
      onProgress: ({ evaluated, of, calls }) =>
        progress.show(`${evaluated} of ${of}, ${count(calls, 'API call')}`, evaluated / of),
    }).finally(() => progress.end())
    printAs(format, backtestJson(result), () => backtestLines(result, opened))
    process.exitCode = result.stopped?.failed === true ? 1 : 0
  })
}

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
  const subject = hasIssues(outcomes) ? 'subject' : 'merge request'
  const head = [subject, 'state', 'title', 'matched rules', 'actions', 'unknown facts']
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

const hasIssues = (outcomes: readonly BacktestOutcome[]) => outcomes.some(({ subject }) => subject === 'issue')

function backtestLines({ outcomes, found, calls, stopped }: Backtest, of: ProjectName): string[] {
  const { evaluated, decided, unknownFacts, rules, seen } = totals(outcomes)
  const why = Object.entries(unknownFacts).map(([fact, number]) => `${fact} (${number})`)
  const undecided = evaluated - decided
  const all = hasIssues(outcomes) ? `${found} found` : count(found, 'merge request')
  return [
    ...mergeRequestTable(outcomes, of),
    '',
    ...(rules.length === 0 ? ['No rules are in force.'] : [ruleTable(rules), '']),
    colours.bold(`${evaluated} of ${all} evaluated: ${decided} decided, ${undecided} not.`),
    ...(why.length === 0 ? [] : [`Unknown facts: ${why.join(', ')}.`]),
    ...(rules.some(({ actions }) => Object.values(actions).some((each) => each.unknown > 0))
      ? ['? after an action: unknown facts decide whether it is done.']
      : []),
    ...(seen === undefined ? [] : [formatSeen(seen)]),
    `${count(calls.made, 'API call')}.`,
    ...(stopped === undefined ? [] : [colours.yellow(`Stopped: ${plain(stopped.reason)}.`)]),
  ]
}

function backtestJson({ outcomes, found, calls, stopped }: Backtest) {
  const { evaluated, ...rest } = totals(outcomes)
  return { found, evaluated, ...rest, calls, stopped: stopped?.reason, mergeRequests: outcomes }
}
