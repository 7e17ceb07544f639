// `bellhop explain SUBJECT [IID]`: what the rules decide now, what blocks them and how to fix it. Sends nothing.
import { Command, Option } from 'commander'
import { readOverrides } from '../../rules/testing/overrides.ts'
import { memoryOf, type RunningBotFlags, withRunningBot } from '../admin/running-bot.ts'
import { explainNow } from '../explain/explain-now.ts'
import { lastGoodOf } from '../explain/last-good.ts'
import { type NamedSubject, namedSubject } from '../explain/named-subject.ts'
import { reportJson, reportLines } from '../explain/print.ts'
import { openProject, type RuleFlags, withRules } from '../explain/rule-options.ts'
import { formatOption } from '../output/format-option.ts'
import { printAs } from '../output/terminal-text.ts'
import { orUserError } from '../service/connect.ts'
import { withService } from '../service/service-options.ts'
import { argument } from '../settings/argument.ts'
import { positive } from '../settings/setting-values.ts'
import { UsageError } from '../user-error.ts'

interface ExplainFlags extends RuleFlags, RunningBotFlags {
  whatIf: string[]
  format: 'text' | 'json'
}

const help = `
--what-if replaces a fact of the service; it may be repeated:
  pipeline=success            a fact and its value, as in a rule; lists as a,b; unknown makes a fact unknown
  labels+=ready               add an entry to a list
  labels-=hold                remove an entry
  now=2026-12-24T10:00Z       the time, for time conditions and ages
  event=note.create by alice: @bellhop merge
                              an event, for rules with on:
Only that fact is replaced: with pipeline=success, the service's mergeability stays.

Rules are those of .bellhop.yml on the default branch and of the operator's folder. A file given by --rules counts as the operator's, or
as the repository's if it is called .bellhop.yml.

Without a number the project itself is explained: its project rules, for a what-if event or a pending one. An issue is explained by the
rules with for: issues. Put quotes around ! and #: a shell has a meaning for them.

Only a running bot knows earlier actions, held actions, who pushed, pending events, and whether merge requests have pipelines of their
own. --bellhop URL asks it, with the token BELLHOP_ADMIN_TOKEN; otherwise Bellhop sees everything for the first time.

Examples:
  $ bellhop explain hotel/app 42
  $ bellhop explain 'hotel/app#42'
  $ bellhop explain https://git.example.com/hotel/app/-/issues/42
  $ bellhop explain hotel/app 42 --what-if pipeline=success --what-if labels+=ready
  $ bellhop explain hotel/app 42 --bellhop http://127.0.0.1:8080
  $ bellhop explain hotel/app --what-if "event=tag_push by alice" --what-if ref=v1.0
  $ bellhop explain hotel/app 42 --rules new-rules.yml --format json`

const unknownVersion =
  'The version in force is the newest one without problems in the history; a running bot has the one that it read last.'

const sayNotFound = (path: string) =>
  `Which rules of ${path} are in force is not known here: no version without problems was found. A running bot knows (--bellhop).`

/** Exit code 0 whatever the rules decide, 1 if something cannot be read. */
export function explain(): Command {
  const command = new Command()
    .argument(
      '<project>',
      'id or path of the project, such as hotel/app; or a merge request (hotel/app!42) or an issue (hotel/app#42), also by its address',
    )
    .argument('[iid]', 'number of the merge request, such as 42; without it the project itself', argument(positive))
    .addOption(new Option('--what-if <what>', 'replace a fact (see below)').argParser(collect).default([], 'nothing'))
    .addOption(formatOption())
  return withRunningBot(withService(withRules(command)))
    .addHelpText('after', help)
    .action(run)
}

const collect = (text: string, before: string[]) => [...before, text]

async function run(named: string, number: number | undefined, flags: ExplainFlags): Promise<void> {
  const of: NamedSubject =
    number === undefined ? namedSubject(named, flags.serviceUrl) : { project: named, iid: number }
  const read = readOverrides(flags.whatIf)
  if (!read.ok) throw new UsageError(read.problems.map((problem) => `--what-if ${problem}`).join('\n'))
  const { overrides } = read
  await orUserError(async () => {
    const { problems, notFound = [], ...opened } = await openProject(of.project, flags, lastGoodOf(flags))
    const explained = await explainNow({
      ...opened,
      iid: of.iid,
      subject: of.subject,
      overrides,
      offLabel: flags.offLabel,
      memoryOf: memoryOf(flags),
    })
    // If a running bot has no good version, none is in force.
    const inHistory = flags.bellhop === undefined
    const isFound = opened.files.some(({ path, broken }) => broken && !notFound.includes(path))
    const unknown = inHistory && isFound ? [...explained.unknown, unknownVersion] : explained.unknown
    const unknownRules = inHistory ? notFound.map(sayNotFound) : []
    const report = { ...explained, unknown, unknownRules, whatIf: flags.whatIf, problems }
    printAs(flags.format, reportJson(report), () => reportLines(report))
  })
}
