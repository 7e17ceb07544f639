// `bellhop explain SUBJECT [IID]`: what the rules decide now, what blocks them and how to fix it. Sends nothing.
import { Command, Option } from 'commander'
import { explainRule, firstBlocker, sayBlocker, sayLimits, sayParameters } from '../../rules/explain/explain.ts'
import { sayVerdict } from '../../rules/explain/verdict.ts'
import { fullRefName, isMergeRequest, isProject, sayNoRules } from '../../rules/facts/definition/subject-ref.ts'
import { readOverrides } from '../../rules/testing/overrides.ts'
import type { Call, Decision } from '../../rules/types.ts'
import { memoryAndPast, type RunningBotFlags, withRunningBot } from '../admin/admin-client.ts'
import { type Explanation, explainNow } from '../explain/explain-now.ts'
import { lastGoodOf, openProject, type RuleFlags, withRules } from '../explain/rules-for.ts'
import { colours, formatOption, plain, printAs } from '../output/terminal-text.ts'
import { orUserError } from '../service/connect.ts'
import { withService } from '../service/service-options.ts'
import { argument, positive } from '../settings/setting.ts'
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
      memoryOf: memoryAndPast(flags).memoryOf,
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

interface NamedSubject {
  /** Id or full path. */
  project: string
  /** 0 is the project itself. */
  iid: number
  subject?: 'issue'
}

const NUMBERED = /^(.+)([!#])([1-9]\d{0,14})$/s
/** Since 17.2 the page of an issue may be that of a work item; the number is the same. */
const PAGE = /^(.+?)\/-\/(merge_requests|issues|work_items)\/([1-9]\d{0,14})(?:[/?#]|$)/s

/** Throws UsageError for a page that is none of the service, or of something else. */
export function namedSubject(text: string, serviceUrl = ''): NamedSubject {
  if (!/^https?:\/\//i.test(text)) {
    const [, project = text, mark, iid = 0] = NUMBERED.exec(text) ?? []
    return { project, iid: Number(iid), subject: mark === '#' ? 'issue' : undefined }
  }
  const root = `${serviceUrl.replace(/\/+$/, '')}/`
  if (!text.toLowerCase().startsWith(root.toLowerCase()))
    throw new UsageError(`${text} is no page of the hosting service${serviceUrl === '' ? '' : ` ${serviceUrl}`}.`)
  const [, project, kind, iid] = PAGE.exec(text.slice(root.length)) ?? []
  if (project === undefined) throw new UsageError(`${text} is no page of a merge request or an issue.`)
  return { project, iid: Number(iid), subject: kind === 'merge_requests' ? undefined : 'issue' }
}

export interface Report extends Explanation {
  /** The overrides as they were given. */
  whatIf: readonly string[]
  /** The problems of the repository's own rule file. */
  problems: readonly string[]
  /** A sentence for each broken file without a good version. */
  unknownRules: readonly string[]
}

const paints: Record<string, (text: string) => string> = {
  '✓': colours.green,
  '✗': colours.red,
  '?': colours.yellow,
  '→': colours.cyan,
}

function painted(line: string): string {
  const [, space = '', mark = '', rest = ''] = /^( *)([✓✗?→])(.*)$/.exec(line) ?? []
  return mark === '' ? line : `${space}${(paints[mark] ?? String)(mark)}${rest}`
}

const formatCall = (call: Call) => `  ${plain(call.endpoint + sayParameters(call))}`

function rulesOf(decision: Decision): string[] {
  return decision.rules.flatMap((rule) => {
    const blocker = firstBlocker(rule)
    const [head = '', ...rest] = explainRule(rule).map(plain)
    const first = blocker === undefined ? [] : [`  ${colours.bold('blocked by')}: ${plain(sayBlocker(blocker))}`]
    return [painted(head), ...rest.map(painted), ...first, '']
  })
}

function againOf({ againInMs, changesAt }: Decision): string[] {
  return [
    ...(againInMs === undefined
      ? []
      : [`Evaluated again after ${Math.ceil(againInMs / 1000)} s: what blocks may pass by itself.`]),
    ...(changesAt === undefined ? [] : [`Evaluated again at ${changesAt}, when time may change a verdict.`]),
  ]
}

export function reportLines({ mergeRequest, decision, whatIf, problems, unknown, unknownRules }: Report): string[] {
  const { title, iid, subject, state, url } = mergeRequest
  const files = decision.files.map(({ path, blob }) => (blob === null ? path : `${path} (${blob.slice(0, 8)})`))
  const calls = decision.calls.map(formatCall)
  const observed = (decision.dryRunCalls ?? []).map(formatCall)
  const withheld = [
    ...unknownRules,
    ...sayLimits(decision).map((each) => `${each}.`),
    ...(decision.paused === undefined || isMergeRequest(mergeRequest) ? [] : [`paused: ${decision.paused}`]),
    ...(decision.offIgnored === undefined ? [] : [decision.offIgnored]),
  ]
  const uncertain = (decision.uncertain ?? []).map((each) => `not certain: ${each}. Check whether it was done.`)
  const yellow = (each: string) => colours.yellow(plain(each))
  return [
    isProject({ iid })
      ? `${colours.bold(plain(title))} (the project itself)`
      : `${colours.bold(plain(fullRefName({ ...mergeRequest, url: url ?? undefined })))} (${plain(state)}${subject === 'issue' ? '' : `, head ${decision.head?.slice(0, 8) ?? 'not read'}`})`,
    ...(url === null ? [] : [`link: ${plain(url)}`]),
    `rules: ${files.length === 0 ? 'none' : plain(files.join(', '))}`,
    ...whatIf.map((each) => `what if: ${plain(each)}`),
    ...problems.map((each) => colours.red(`problem: ${plain(each)}`)),
    '',
    ...(isMergeRequest(mergeRequest) ? [colours.bold(plain(sayVerdict(decision))), ''] : []),
    ...withheld.flatMap((each) => [yellow(each), '']),
    ...(uncertain.length === 0 ? [] : [...uncertain.map(yellow), '']),
    ...(decision.rules.length > 0 || unknownRules.length > 0
      ? rulesOf(decision)
      : [plain(sayNoRules(mergeRequest, decision)), '']),
    ...(calls.length === 0 ? ['No calls.'] : ['Calls:', ...calls]),
    ...(observed.length === 0 ? [] : ['Calls of observed rules, which are not sent:', ...observed]),
    ...againOf(decision),
    ...unknown.map((each) => colours.dim(each)),
  ]
}

export function reportJson({ mergeRequest, decision, whatIf, problems, unknown, unknownRules }: Report) {
  const { rules, calls, dryRunCalls: observed = [], uncertain = [], files, head } = decision
  const { paused, offIgnored, againInMs, changesAt } = decision
  return {
    ...{ mergeRequest, head, what_if: whatIf, files, problems, paused, offIgnored },
    rules: rules.map((rule) => ({ ...rule, blocker: firstBlocker(rule) ?? null })),
    ...{ calls, observed, uncertain, againInMs, changesAt, unknown: [...unknown, ...unknownRules] },
  }
}
