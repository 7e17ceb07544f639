// Reduces a rule's trace to what every reader of the merge request may read. Journal and dashboard keep all of it.
import { actionNamed } from '../actions/index.ts'
import { NOT_READ, NOT_SHOWN, unlabelled } from '../facts/definition/fact.ts'
import { groupOfAnswer, isPublicGroup, MEMBER_LISTS } from '../facts/definition/group-members.ts'
import { factNamed } from '../facts/index.ts'
import { createView, type FactReader } from '../facts/reading/fact-view.ts'
import { sayValue } from '../language/operators/operators.ts'
import type { ActionTrace, DecideInput, RuleTrace, SourceAnswers, Trace } from '../types.ts'

/** Conditions that are no facts: their actual value is Bellhop's own text. */
const WORDED = ['on', 'mode']
/** The expected value in a rule whose text may not be quoted. */
const HIDDEN = 'what the rule requires'
const COMBINATORS = ['all', 'any', 'not']

/** The rule files that readers of the repository can read: its own, not those of the operator or of other projects. */
export function readableFiles({ files }: Pick<DecideInput, 'files'>): string[] {
  const isReadable = (file: DecideInput['files'][number]) => file.trust === 'repository' && file.origin === undefined
  const hidden = files.filter((file) => !isReadable(file)).map(({ path }) => path)
  return files.filter((file) => isReadable(file) && !hidden.includes(file.path)).map(({ path }) => path)
}

/** The actual value of a fact, in public words. */
function sayPublic(name: string, view: FactReader): string {
  const fact = factNamed(name)
  if (fact === undefined) return NOT_SHOWN
  const value = view.publicFact(name)
  if (value.is === 'absent') return value.reason === NOT_SHOWN ? NOT_SHOWN : `unknown: ${value.reason}`
  // No source is read only for this text.
  if (value.is === 'unread') return view.fact(name).is === 'unread' ? NOT_READ : NOT_SHOWN
  const { complete, missing, remark } = value
  const rest = complete ? [] : [missing ?? 'and more: the service cut it off']
  const isEmpty = Array.isArray(value.value) && value.value.length === 0
  const said =
    isEmpty && rest.length > 0
      ? []
      : [`${sayValue(value.value, fact.type)}${remark === undefined ? '' : ` (${remark})`}`]
  return [...said, ...rest].join(', ')
}

/** `quotes`: the text of the rule may be quoted. */
function publicTrace(trace: Trace, shown: Shown, quotes: boolean): Trace {
  const { condition, verdict, expected, actual, toFix, children } = trace
  if (children !== undefined) {
    const name = quotes || COMBINATORS.includes(condition) ? condition : 'all'
    return {
      condition: name,
      verdict,
      expected: 'these',
      actual: verdict,
      children: children.map((child) => publicTrace(child, shown, quotes)),
    }
  }
  return {
    condition: quotes ? condition : unlabelled(condition),
    verdict,
    expected: quotes ? expected : HIDDEN,
    actual: WORDED.includes(condition) ? actual : shown.actual(trace),
    toFix: quotes ? toFix : shown.toFix?.(trace),
  }
}

/** What public text shows of the fact of a condition. */
interface Shown {
  actual(trace: Trace): string
  toFix?(trace: Trace): string | undefined
}

const valuesOf = (view: FactReader): Shown => ({
  actual: ({ condition }) => sayPublic(condition, view),
  toFix: ({ condition, verdict }) => fixOfValue(condition, verdict, view),
})

/** Without the answers, a restricted fact is never shown. */
const recorded: Shown = {
  actual: ({ condition, actual }) => (factNamed(condition)?.readPublic === undefined ? actual : NOT_SHOWN),
}

/** A rule of a recorded decision for readers who may read its file (`isReadable`) or may not. */
export function publicRecordedRule(rule: RuleTrace, isReadable: boolean): RuleTrace {
  const actions = rule.actions.map(({ conditions, ...action }) => ({
    ...action,
    conditions: conditions && publicTrace(conditions, recorded, true),
  }))
  const name = isReadable ? rule.name : 'a rule of the operator or of another project'
  return { ...rule, name, conditions: publicTrace(rule.conditions, recorded, isReadable), actions }
}

/** How to fix the value of a fact, whatever the rule requires. */
function fixOfValue(name: string, verdict: Trace['verdict'], view: FactReader): string | undefined {
  const value = verdict === 'true' || factNamed(name) === undefined ? undefined : view.publicFact(name)
  return value?.is === 'known' ? value.toFix : undefined
}

/** What conditions that are not true lack. The words change only with that: they name no ages and no counts. */
function missingIn({ condition, verdict, expected, actual, toFix, children }: Trace): string[] {
  if (verdict === 'true') return []
  if (children === undefined) {
    if (toFix !== undefined) return [toFix]
    if (verdict === 'unknown') return [`${condition} (${actual})`]
    return [sayConditions({ condition, expected })]
  }
  if (condition === 'not') return [`not (${children.map(sayConditions).join()})`]
  const parts = children.map((child) => missingIn(child).join(' and '))
  return condition === 'any' ? [parts.join(' or ')] : children.flatMap(missingIn)
}

function sayConditions({ condition, expected, children }: Pick<Trace, 'condition' | 'expected' | 'children'>): string {
  if (children === undefined) return expected === HIDDEN ? condition : `${condition}: ${expected}`
  return children.map(sayConditions).join(condition === 'any' ? ' or ' : ' and ')
}

/** What a rule that does not match lacks, in one text that every reader may read. */
export function publicMissing(
  conditions: Trace,
  { path }: { path: string },
  view: FactReader,
  input: DecideInput,
): string {
  return missingIn(publicTrace(conditions, valuesOf(view), readableFiles(input).includes(path))).join('; ')
}

/** The groups whose members were read. */
export const groupsIn = (answers: SourceAnswers): string[] =>
  Object.keys(answers).flatMap((name) => groupOfAnswer(name) ?? [])

/** Whether a detail quotes the service, or reveals a private group, or a file or rule not of the repository. */
function isPrivate(
  { action, result, detail }: ActionTrace,
  { answers, files }: DecideInput,
  readable: readonly string[],
): boolean {
  // The detail may name who was picked from a group.
  const readsGroups = actionNamed(action)?.reads?.sources?.some((name) => MEMBER_LISTS.includes(name)) === true
  if (readsGroups && groupsIn(answers).some((group) => !isPublicGroup(group, answers))) return true
  if (Object.values(answers).some((answer) => !answer.ok && detail.includes(answer.reason))) return true
  if (files.some(({ path }) => !readable.includes(path) && detail.includes(path))) return true
  // A detail names other rules as `<file>#<rule>`, some in files no longer in force. A call's own words name none.
  return result !== 'call' && readable.reduce((rest, path) => rest.replaceAll(`${path}#`, ''), detail).includes('#')
}

/** The rule as a public note may show it. */
export function publicRule(rule: RuleTrace, input: DecideInput): RuleTrace {
  const readable = readableFiles(input)
  const isReadable = readable.includes(rule.file)
  const values = valuesOf(createView(input, rule.event?.event))
  const actions = rule.actions.map((each): ActionTrace => {
    const { action, result, detail, conditions, dryRun } = each
    const isShown = (isReadable || (result === 'call' && dryRun !== true)) && !isPrivate(each, input, readable)
    return {
      action,
      result,
      detail: isShown ? detail : NOT_SHOWN,
      // An action's own conditions are not part of the rule's text.
      conditions: conditions && publicTrace(conditions, values, true),
      dryRun,
    }
  })
  const trust = input.files.find(({ path }) => path === rule.file)?.trust
  const stranger = trust === 'operator' ? 'a rule of the operator' : 'a rule of another project'
  return {
    ...rule,
    name: isReadable ? rule.name : stranger,
    file: isReadable ? rule.file : '',
    conditions: publicTrace(rule.conditions, values, isReadable),
    leadsTo: isReadable ? rule.leadsTo : undefined,
    actions,
  }
}
