// `bellhop explain PROJECT IID`: why a merge request is or is not labelled, approved or merged, and what would change that. Sends nothing.
import { Command, InvalidArgumentError, Option } from 'commander'
import { orUserError, withService } from '../explain/connect.ts'
import { explainNow } from '../explain/explain-now.ts'
import { reportJson, reportLines } from '../explain/print.ts'
import { openProject, type RuleFlags, withRules } from '../explain/rule-options.ts'
import { readSuppositions } from '../explain/suppositions.ts'
import { printJson } from '../terminal-text.ts'

interface ExplainFlags extends RuleFlags {
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

What only a running bot remembers is unknown here: what was done before, who pushed, which events wait, what is left of the brake,
whether merge requests have pipelines of their own. Its journal is not asked.

Examples:
  $ bellhop explain hotel/app 42
  $ bellhop explain hotel/app 42 --suppose pipeline=success --suppose labels+=ready
  $ bellhop explain hotel/app 42 --rules new-rules.yml --format json`

/** Exit 0 whatever the rules say, 1 where something cannot be read, 2 for wrong usage. */
export function explain(): Command {
  const command = new Command('explain')
    .description('say what the rules decide about a merge request, what blocks each, and what would change that; sends nothing')
    .argument('<project>', 'id or path of the project, such as hotel/app')
    .argument('<iid>', 'number of the merge request: the 42 of !42', iid)
    .addOption(new Option('--suppose <what>', 'take this as given (see below)').argParser(collect).default([], 'nothing'))
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
  return withService(withRules(command)).addHelpText('after', help).action(run)
}

const collect = (text: string, before: string[]) => [...before, text]

function iid(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected the number of a merge request')
  return Number(text)
}

async function run(path: string, number: number, flags: ExplainFlags): Promise<void> {
  const suppositions = readSuppositions(flags.suppose)
  await orUserError(async () => {
    const { problems, ...opened } = await openProject(path, flags)
    const explained = await explainNow({ ...opened, iid: number, suppositions, offLabel: flags.offLabel, now: () => Date.now() })
    const report = { ...explained, supposed: flags.suppose, problems }
    if (flags.format === 'json') printJson(reportJson(report))
    else process.stdout.write(`${reportLines(report).join('\n')}\n`)
  })
}
