// `bellhop explain PROJECT IID`: why a merge request is or is not labelled, approved or merged, and what would change that. Sends nothing.
import { Command, InvalidArgumentError, Option } from 'commander'
import { orUserError } from '../explain/connect.ts'
import { explainNow } from '../explain/explain-now.ts'
import { reportJson, reportLines } from '../explain/print.ts'
import { openProject, type RuleFlags, withRules } from '../explain/rule-options.ts'
import { memoryOf, type RunningBotFlags, withRunningBot } from '../explain/running-bot.ts'
import { readSuppositions } from '../explain/suppositions.ts'
import { withService } from '../services/service-options.ts'
import { printJson } from '../terminal-text.ts'

interface ExplainFlags extends RuleFlags, RunningBotFlags {
  suppose: string[]
  format: 'text' | 'json'
}

const help = `
--suppose says what is to be taken as given, whatever the service says; it may be repeated:
  pipeline=success            a fact and its value, written as in a rule; lists as a,b; a fact may be supposed unknown
  labels+=ready               one more entry of a list
  labels-=hold                one entry less
  now=2026-12-24T10:00Z       the time, for clock conditions and ages
  event=note.create by alice: @bellhop merge
                              something that happened, for rules with on:
Only the fact itself is supposed: where a pipeline is supposed to succeed, what the service says of mergeability stays.

Rules are the repository's own .bellhop.yml of its default branch and the operator's folder, as the bot reads them. A file that
--rules names is taken as the operator's, or as the repository's where it is called .bellhop.yml.

Without a number the project itself is explained: by the rules that act on the project, for an event that is supposed or waits.

What only a running bot remembers is unknown here: what was done before, what Bellhop holds (an approval, a label, a wait), who pushed,
which events wait, whether merge requests have pipelines of their own. With --bellhop URL the bot that runs there is asked for it, with
the admin token of BELLHOP_ADMIN_TOKEN; without it everything is judged as if Bellhop saw it for the first time.

Examples:
  $ bellhop explain hotel/app 42
  $ bellhop explain hotel/app 42 --suppose pipeline=success --suppose labels+=ready
  $ bellhop explain hotel/app 42 --bellhop http://127.0.0.1:8080
  $ bellhop explain hotel/app --suppose "event=tag_push by alice" --suppose ref=v1.0
  $ bellhop explain hotel/app 42 --rules new-rules.yml --format json`

/** Exit 0 whatever the rules say, 1 where something cannot be read, 2 for wrong usage. */
export function explain(): Command {
  const command = new Command('explain')
    .description('say what the rules decide about a merge request, what blocks each, and what would change that; sends nothing')
    .argument('<project>', 'id or path of the project, such as hotel/app')
    .argument('[iid]', 'number of the merge request: the 42 of !42; without it the project itself', iid)
    .addOption(new Option('--suppose <what>', 'take this as given (see below)').argParser(collect).default([], 'nothing'))
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
  return withRunningBot(withService(withRules(command)))
    .addHelpText('after', help)
    .action(run)
}

const collect = (text: string, before: string[]) => [...before, text]

function iid(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected the number of a merge request')
  return Number(text)
}

async function run(path: string, number: number | undefined, flags: ExplainFlags): Promise<void> {
  const suppositions = readSuppositions(flags.suppose)
  await orUserError(async () => {
    const { problems, ...opened } = await openProject(path, flags)
    const explained = await explainNow({
      ...opened,
      iid: number ?? 0,
      suppositions,
      offLabel: flags.offLabel,
      now: () => Date.now(),
      memoryOf: memoryOf(flags),
    })
    const report = { ...explained, supposed: flags.suppose, problems }
    if (flags.format === 'json') printJson(reportJson(report))
    else process.stdout.write(`${reportLines(report).join('\n')}\n`)
  })
}
