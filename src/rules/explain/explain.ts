// A decision in plain text: which rules matched, what blocked the others, and what the merge request waits for.
import { actionNamed } from '../actions/index.ts'
import { ruleSet } from '../engine/conditions/rules-in-force.ts'
import { ruleName } from '../engine/memory/standing-requests.ts'
import { knownIn } from '../facts/definition/fact.ts'
import { factNamed } from '../facts/index.ts'
import { createView, type FactReader } from '../facts/reading/fact-view.ts'
import { causeOf, type Verdict, type WaitingCause } from '../language/values/rule-types.ts'
import { sayMoment } from '../language/values/time-windows.ts'
import type { ActionTrace, Call, DecideInput, Decision, RuleTrace, Trace } from '../types.ts'

export const MARKS: Record<Verdict, string> = { true: '✓', false: '✗', unknown: '?' }

/** The first condition that blocks, in the words of the trace. */
type Blocker = Pick<Trace, 'condition' | 'expected' | 'actual' | 'toFix'>

/** A code in words. */
export const words = (code: string) => code.replaceAll('_', ' ')

const inPath = ['id', 'merge_request_iid', 'issue_iid']

/** The parameters of a call besides those in its path: `name=VALUE`, each with a space before it. */
export const sayParameters = ({ params }: Pick<Call, 'params'>) =>
  Object.entries(params)
    .map(([name, value]) => (inPath.includes(name) ? '' : ` ${name}=${JSON.stringify(value)}`))
    .join('')

const indent = (depth: number) => '  '.repeat(depth)

function explainTrace(trace: Trace, depth: number): string[] {
  const { condition, verdict, expected, actual, children } = trace
  const mark = `${indent(depth)}${MARKS[verdict]}`
  if (children === undefined) return [`${mark} ${sayBlocker(trace)}`]
  return [
    `${mark} ${expected} (${condition}): ${actual}`,
    ...children.flatMap((child) => explainTrace(child, depth + 1)),
  ]
}

/** Every `if` is an `all`, which needs no line. */
function explainConditions(trace: Trace): string[] {
  return trace.condition === 'all' && trace.children !== undefined
    ? trace.children.flatMap((child) => explainTrace(child, 1))
    : explainTrace(trace, 1)
}

function explainAction({ action, result, detail, conditions, dryRun }: ActionTrace): string[] {
  const text = result === 'call' ? `${dryRun === true ? 'would ' : ''}${detail}` : `${words(result)}: ${detail}`
  const lines = [`${indent(1)}→ ${action}: ${text}`]
  return conditions?.children === undefined
    ? lines
    : [...lines, ...conditions.children.flatMap((child) => explainTrace(child, 2))]
}

/** The lines of one rule: its conditions as a tree, and the outcomes of its actions. */
export function explainRule(rule: RuleTrace): string[] {
  const says = { true: rule.became ? 'matches now' : 'still matches', false: 'does not match', unknown: 'is unknown' }
  return [
    `${MARKS[rule.verdict]} ${rule.name} (${rule.file}:${rule.line}) ${says[rule.verdict]}${rule.mode === undefined ? '' : `, mode: ${rule.mode}`}`,
    ...explainConditions(rule.conditions),
    ...rule.actions.flatMap(explainAction),
  ]
}

/** What a broken rule file means for the decision, in a sentence; undefined if none is broken. */
export function sayBroken(files: Decision['files']): string | undefined {
  const broken = files.flatMap(({ path, broken }) => (broken === true ? [path] : []))
  if (broken.length === 0) return undefined
  const names = broken.join(', ')
  return broken.length === 1
    ? `${names} is broken: only its last good version is in force, and nothing is approved or accepted until it is fixed`
    : `${names} are broken: only their last good versions are in force, and nothing is approved or accepted until they are fixed`
}

/** One sentence each: what a broken rule file and the new-rule limit mean for the decision. */
export function sayLimits({ files, rules }: Pick<Decision, 'files' | 'rules'>): string[] {
  const broken = sayBroken(files)
  const limited = rules
    .flatMap(({ actions }) => actions)
    .flatMap(({ action, limitedUntil }) =>
      limitedUntil === undefined ? [] : [`${action} until ${sayMoment(Date.parse(limitedUntil))}`],
    )
  return [
    ...(broken === undefined ? [] : [broken]),
    ...(limited.length === 0
      ? []
      : [`New rules of this project reached their limit of calls an hour: no ${[...new Set(limited)].join(', no ')}`]),
  ]
}

/** The lines of the whole decision. */
export function explainDecision(decision: Decision): string[] {
  const calls = decision.calls.map((call, index) => {
    const answer = decision.responses[index]
    const came =
      answer === undefined
        ? 'not sent'
        : `${words(answer.result)}${answer.message === undefined ? '' : `: ${answer.message}`}`
    const why = call.rules.length === 0 ? ', no rule requests it any more' : ''
    return `call ${call.endpoint} (${call.action}${why}): ${came}`
  })
  const dryRunCalls = (decision.dryRunCalls ?? []).map(
    (call) => `dry-run call ${call.endpoint} (${call.action}): not sent, it only observes`,
  )
  const paused = [
    ...sayLimits(decision),
    ...(decision.paused === undefined ? [] : [`paused: ${decision.paused}`]),
    ...(decision.offIgnored === undefined ? [] : [decision.offIgnored]),
  ]
  if (decision.rules.length === 0) return [...paused, 'no rules are in force', ...calls, ...dryRunCalls]
  return [...paused, ...decision.rules.flatMap(explainRule), ...calls, ...dryRunCalls]
}

const leaf = ({ condition, expected, actual, toFix }: Trace): Blocker => ({ condition, expected, actual, toFix })

const say = (trace: Trace): string =>
  trace.children === undefined
    ? `${trace.condition} ${trace.expected}`
    : trace.children.map(say).join(trace.condition === 'any' ? ' or ' : ' and ')
const found = (trace: Trace): string =>
  trace.children === undefined ? `${trace.condition} is ${trace.actual}` : trace.children.map(found).join(', ')

/** The first condition that keeps it from being true. */
export function blockerIn(trace: Trace): Blocker | undefined {
  if (trace.verdict === 'true') return undefined
  const { condition, children = [] } = trace
  const [only] = children
  if (only === undefined) return leaf(trace)
  if (condition === 'not')
    return only.children === undefined
      ? { condition: only.condition, expected: `not ${only.expected}`, actual: only.actual }
      : { condition, expected: `not (${say(only)})`, actual: found(only) }
  if (condition === 'any' && children.length > 1)
    return { condition, expected: children.map(say).join(' or '), actual: children.map(found).join(', ') }
  const first =
    children.find((child) => child.verdict === 'false') ?? children.find((child) => child.verdict === 'unknown')
  return first === undefined ? leaf(trace) : blockerIn(first)
}

/** The first condition that keeps a rule from acting; undefined when nothing does. */
export function firstBlocker(rule: RuleTrace): Blocker | undefined {
  const blocker = blockerIn(rule.conditions)
  if (blocker !== undefined || rule.verdict !== 'true') return blocker
  const held = rule.actions.find(
    ({ result, queue }) => result === 'blocked' || (result === 'waits' && queue === undefined),
  )
  if (held === undefined) return undefined
  const own = held.conditions === undefined ? undefined : blockerIn(held.conditions)
  return own ?? { condition: held.action, expected: 'that it may be done', actual: held.detail }
}

/** How many conditions have to change before the rule matches; among alternatives, the nearest counts. */
export function conditionsToChange({ verdict, condition, children = [] }: Trace): number {
  if (verdict === 'true') return 0
  const counts = children.map(conditionsToChange).filter((each) => each > 0)
  if (counts.length === 0 || condition === 'not') return 1
  return condition === 'any' ? Math.min(...counts) : counts.reduce((sum, each) => sum + each, 0)
}

/** Whether the rule matched, or only one condition blocks it. An event rule without its event does not apply. */
export const isNear = ({ conditions }: Pick<RuleTrace, 'conditions'>): boolean =>
  conditions.condition !== 'on' && conditionsToChange(conditions) <= 1

/** A blocker as one sentence. */
export function sayBlocker({ condition, expected, actual, toFix }: Blocker): string {
  return `${condition}: expected ${expected}, actual ${actual}${toFix === undefined ? '' : `; to fix: ${toFix}`}`
}

/**
 * The cause; undefined if there is none: no rule would merge or approve it, or something else also blocks each rule,
 * such as a missing label or a draft. Reads nothing.
 */
export function waitsFor(input: DecideInput, { rules, paused }: Decision): WaitingCause | undefined {
  if (paused !== undefined) return undefined
  const merging = new Set(
    ruleSet(input.files, input.policy).rules.flatMap(({ name, mode, rule }) =>
      mode === 'act' && rule.actions.some(({ action }) => mayMerge(action)) ? [name] : [],
    ),
  )
  const view = createView(input)
  for (const rule of rules) {
    const cause = merging.has(ruleName(rule)) ? causeOfRule(rule, view) : undefined
    if (cause !== undefined) return cause
  }
  return undefined
}

const mayMerge = (action: string) => actionNamed(action)?.limited === 'merge'

function causeOfRule({ verdict, conditions, actions }: RuleTrace, view: FactReader): WaitingCause | undefined {
  // Of alternatives, the first that only waits for causes.
  const choose = (open: readonly Trace[]) => open.find((each) => causeIn(each) !== undefined) ?? open[0]
  const causeIn = (trace: Trace): WaitingCause | undefined => firstCause(unmetIn(trace, choose), view)
  if (verdict !== 'true') return causeIn(conditions)
  const held = actions.find(({ action, result }) => mayMerge(action) && (result === 'blocked' || result === 'waits'))
  if (held?.waitsFor !== undefined) return held.waitsFor
  return held?.conditions && causeIn(held.conditions)
}

/** The first cause, if each condition is one. Conditions that are only unknown count if nothing else blocks. */
function firstCause(blocked: readonly Trace[], view: FactReader): WaitingCause | undefined {
  const failed = blocked.filter(({ verdict }) => verdict !== 'unknown')
  const causes = (failed.length > 0 ? failed : blocked).map(({ condition }) => {
    return causeOf(factNamed(condition)?.waitsFor, knownIn(view.fact(condition)))
  })
  return causes.includes(undefined) ? undefined : causes[0]
}

/** The conditions without children that block; of alternatives, those of the one that `choose` names. */
export function unmetIn(trace: Trace, choose: (open: readonly Trace[]) => Trace | undefined): Trace[] {
  const { verdict, condition, children = [] } = trace
  if (verdict === 'true') return []
  if (children.length === 0) return [trace]
  if (condition === 'not') return children.flatMap(leaves).map((each) => ({ ...each, expected: '' }))
  const open = children.filter((child) => child.verdict !== 'true')
  return (condition === 'any' ? [choose(open) ?? []].flat() : open).flatMap((each) => unmetIn(each, choose))
}

/** The conditions without children. */
export const leaves = (trace: Trace): Trace[] =>
  trace.children === undefined || trace.children.length === 0 ? [trace] : trace.children.flatMap(leaves)
