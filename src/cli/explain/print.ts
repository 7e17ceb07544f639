// Prints `bellhop explain`: the trace as a tree, what blocks each rule, and the calls.
import { explainRule, firstBlocker, sayBlocker, sayLimits, sayParameters } from '../../rules/explain/explain.ts'
import { fullRefName, isProject, sayNoRules } from '../../rules/facts/definition/subject-ref.ts'
import type { Call, Decision } from '../../rules/types.ts'
import { colours } from '../output/colours.ts'
import { plain } from '../output/terminal-text.ts'
import type { Explanation } from './explain-now.ts'

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
    ...unknownRules.flatMap((each) => [colours.yellow(plain(each)), '']),
    ...sayLimits(decision).flatMap((each) => [colours.yellow(`${plain(each)}.`), '']),
    ...(decision.paused === undefined ? [] : [colours.yellow(`paused: ${plain(decision.paused)}`), '']),
    ...(decision.offIgnored === undefined ? [] : [colours.yellow(plain(decision.offIgnored)), '']),
  ]
  const uncertain = (decision.uncertain ?? []).map((each) =>
    colours.yellow(`not certain: ${plain(each)}. Check whether it was done.`),
  )
  return [
    isProject({ iid })
      ? `${colours.bold(plain(title))} (the project itself)`
      : `${colours.bold(plain(fullRefName({ ...mergeRequest, url: url ?? undefined })))} (${plain(state)}${subject === 'issue' ? '' : `, head ${decision.head?.slice(0, 8) ?? 'not read'}`})`,
    ...(url === null ? [] : [`link: ${plain(url)}`]),
    `rules: ${files.length === 0 ? 'none' : plain(files.join(', '))}`,
    ...whatIf.map((each) => `what if: ${plain(each)}`),
    ...problems.map((each) => colours.red(`problem: ${plain(each)}`)),
    '',
    ...withheld,
    ...(uncertain.length === 0 ? [] : [...uncertain, '']),
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
