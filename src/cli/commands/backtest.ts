// `bellhop backtest PROJECT`: what rules would have decided about the project's past merge requests. Sends nothing.
import { Command, InvalidArgumentError, Option } from 'commander'
import { backtest as run } from '../backtest/backtest.ts'
import { backtestJson, backtestLines } from '../backtest/print.ts'
import { createProgress } from '../backtest/progress.ts'
import { orUserError } from '../explain/connect.ts'
import { openProject, type RuleFlags, withRules } from '../explain/rule-options.ts'
import { memoryOf, pastOf, type RunningBotFlags, withRunningBot } from '../explain/running-bot.ts'
import { withService } from '../services/service-options.ts'
import { printJson } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface BacktestFlags extends RuleFlags, RunningBotFlags {
  last: number
  maxCalls: number
  format: 'text' | 'json'
}

const help = `
One that is open is judged as it is now. One that is merged or closed is judged as it was just before that, by what cannot have changed
since: its author, branches, commits and changed files, and that it could be merged, where it was. Labels, approvals, pipelines, notes
and whatever else may have changed are not known, and neither is who pushed or what happened: the table says for how many merge requests
that matters. Settings of the project are taken as they are today. Rules with on: are not judged.

With --bellhop URL the bot that runs there is asked, with the admin token of BELLHOP_ADMIN_TOKEN: who pushed, and what it saw of each when
it last judged it open: its labels, approvals, pipeline and so on, as far as its own rules had made it read them. It keeps that for 30 days.

Examples:
  $ bellhop backtest hotel/app --last 50
  $ bellhop backtest hotel/app --rules new-rules.yml --format json`

/** Exit 0 when it went to its end or to --max-calls, 1 where the service failed, 2 for wrong usage. */
export function backtest(): Command {
  const command = new Command('backtest')
    .description('say what rules would have decided about past merge requests of a project; sends nothing')
    .argument('<project>', 'id or path of the project, such as hotel/app')
    .option('--last <number>', 'how many merge requests, the newest first', number, 200)
    .option('--max-calls <number>', 'stop after so many API calls', number, 2000)
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
  return withRunningBot(withService(withRules(command)))
    .addHelpText('after', help)
    .action(perform)
}

function number(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1')
  return Number(text)
}

async function perform(path: string, { last, maxCalls, format, ...flags }: BacktestFlags): Promise<void> {
  const progress = createProgress(process.stderr)
  await orUserError(async () => {
    const { problems, policy, ...opened } = await openProject(path, flags)
    if (problems.length > 0) throw new UserError(problems.join('\n'), { exitCode: 1 })
    const result = await run({
      ...opened,
      // What would have been, were the rules turned on: what they may do stays as the operator says.
      ...(policy === undefined ? {} : { policy: { ...policy, mode: 'act' as const } }),
      last,
      maxCalls,
      memoryOf: memoryOf(flags),
      pastOf: pastOf(flags),
      offLabel: flags.offLabel,
      now: () => Date.now(),
      onPlan: ({ mergeRequests, calls }) =>
        process.stderr.write(
          `${mergeRequests} merge requests, about ${calls} API calls at most, more where lists have several pages; it stops after ${maxCalls}.\n`,
        ),
      onProgress: ({ judged, of, calls }) => progress.show(`${judged} of ${of} merge requests, ${calls} API calls`, judged / of),
    }).finally(() => progress.end())
    if (format === 'json') printJson(backtestJson(result))
    else process.stdout.write(`${backtestLines(result).join('\n')}\n`)
    process.exitCode = result.stopped?.failed === true ? 1 : 0
  })
}
