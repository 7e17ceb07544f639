// Compiles conditions, and evaluates them on what is known: true, false or unknown, with the trace that explains it.
import { type Fact, fixFor, knownIn, NOT_READ, NOT_SHOWN } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import { type FactCondition, partsOf } from '../../language/conditions.ts'
import type { Matcher } from '../../language/operators/list-match.ts'
import type { GroupMembers } from '../../language/operators/operator-shapes.ts'
import { type Actual, type Operator, operatorNamed, sayValue } from '../../language/operators/operators.ts'
import type { StepBudget } from '../../language/patterns/pattern-budget.ts'
import type { Condition, Json, RuleFile, Verdict } from '../../language/values/rule-types.ts'
import { cut } from '../../language/values/wording.ts'
import type { FactValue, SourceName, Trace } from '../../types.ts'

export interface ConditionResult {
  trace: Trace
  /** The sources that could still change an unknown verdict; empty if none can. */
  needs: SourceName[]
  /** Epoch milliseconds: when the verdict may change without an event. Absent: never. */
  changesAt?: number
}

/** `true`: only a true verdict matters, as in a rule's `if`. `either`: false matters too, as inside a `not`. */
export type Goal = 'true' | 'either'

type KnownValue = Extract<FactValue, { is: 'known' }>

function sayActual(value: KnownValue, { fact: { type }, condition }: Leaf): string {
  const rest = value.complete ? undefined : `and more: ${value.missing ?? 'the service cut it off'}`
  const remarks = [value.remark, rest].filter((each) => each !== undefined)
  return cut(
    `${sayValue(value.value, type, condition.expected)}${remarks.length === 0 ? '' : ` (${remarks.join('; ')})`}`,
    600,
  )
}

export interface EvaluationLimits {
  budget: StepBudget
  /** The conditions may ask for members of every group that Bellhop sees. */
  anyGroup?: boolean
}

/** The value that the condition tests: the fact, or those of its people that are members of a group. */
function valueFor({ group, condition: { fact } }: Leaf, view: FactReader, limits?: EvaluationLimits): FactValue {
  return group === undefined ? view.fact(fact) : view.membersAmong(fact, group, limits?.anyGroup)
}

function verdictOf(leaf: Leaf, value: FactValue, limits?: EvaluationLimits): Verdict {
  if (value.is !== 'known') return 'unknown'
  const { matcher } = leaf
  if (matcher === undefined || limits === undefined) return leaf.test(value)
  return limits.budget.verdict(leaf, matcher, value)
}

/** The verdict alone, without its trace. */
export function factVerdict(leaf: Leaf, view: FactReader, limits?: EvaluationLimits): Verdict {
  return verdictOf(leaf, valueFor(leaf, view, limits), limits)
}

/** Evaluates a condition on one fact. Inside a `not` nothing is to fix: it would only be blocked the more. */
export function evaluateFact(leaf: Leaf, view: FactReader, goal: Goal, limits?: EvaluationLimits): ConditionResult {
  const { condition, fact, group, operator, expected, matcher } = leaf
  const value = valueFor(leaf, view, limits)
  const ofGroup = group && { ofGroup: true as const }
  if (value.is !== 'known') {
    const unknown = { condition: condition.fact, verdict: 'unknown' as const, expected, ...ofGroup }
    if (value.is === 'unread') return { trace: { ...unknown, actual: NOT_READ }, needs: [value.source] }
    const actual = `unknown: ${value.reason}`
    return { trace: { ...unknown, actual, toFix: goal === 'true' ? fixOf(leaf, view) : undefined }, needs: [] }
  }
  const verdict = verdictOf(leaf, value, limits)
  const say = () => (view.hides(condition.fact) ? NOT_SHOWN : sayActual(value, leaf))
  // A time is said in the zone of each condition.
  const found = group === undefined && fact.type.name !== 'clock' ? view.actual(condition.fact, say) : say()
  const unmatched = verdict === 'unknown' ? (matcher?.unmatched(value.value) ?? beyond(limits)) : undefined
  const actual = unmatched === undefined ? found : `unknown: ${unmatched}`
  const toFix = verdict === 'true' || goal === 'either' ? undefined : fixOf(leaf, view, value)
  const trace = { condition: condition.fact, verdict, expected, actual, toFix, ...ofGroup }
  const changesIn = operator.changesIn?.(value, condition.expected)
  return { trace, needs: nothing, changesAt: changesIn === undefined ? undefined : validTime(view.now + changesIn) }
}

function fixOf({ fact, test, expected }: Leaf, view: FactReader, actual?: KnownValue): string | undefined {
  const state = knownIn(view.fact('state'))
  const isOver = state === 'merged' || state === 'closed'
  const fits = (value: Json) => test({ value, complete: true }) === 'true'
  const toFix = fixFor(fact, { expected, actual: actual?.value, fits, isOver, ofIssue: view.subject === 'issue' })
  return toFix === undefined ? undefined : (actual?.toFix ?? toFix)
}

const beyond = (limits: EvaluationLimits | undefined) =>
  limits?.budget.isExceeded === true
    ? 'it was not matched, because the patterns before it used up the budget'
    : undefined

const nothing: SourceName[] = []

const validTime = (time: number | undefined) => (Number.isNaN(time) ? undefined : time)

/** When a combination may change: with the last of the parts that decide it, or, if none does, with the first part. */
function combinedChange(verdict: Verdict, deciding: Verdict, children: readonly ConditionResult[]): number | undefined {
  const decisive = verdict === deciding ? children.filter((child) => child.trace.verdict === deciding) : []
  const changes = (decisive.length > 0 ? decisive : children).flatMap((child) => child.changesAt ?? [])
  if (decisive.length > 0) return changes.length === decisive.length ? Math.max(...changes) : undefined
  return changes.length === 0 ? undefined : Math.min(...changes)
}

export const OPPOSITE: Record<Verdict, Verdict> = { true: 'false', false: 'true', unknown: 'unknown' }

function combine(condition: 'all' | 'any', children: readonly ConditionResult[], goal: Goal): ConditionResult {
  const deciding: Verdict = condition === 'all' ? 'false' : 'true'
  let verdict = OPPOSITE[deciding]
  let matched = 0
  let timed = false
  // If one part stays unknown, the whole cannot become true, whatever else is read.
  let lost = false
  for (const { trace, needs, changesAt } of children) {
    if (trace.verdict === 'true') matched++
    if (trace.verdict === deciding) verdict = deciding
    else if (trace.verdict === 'unknown') {
      if (verdict !== deciding) verdict = 'unknown'
      if (condition === 'all' && goal === 'true' && needs.length === 0) lost = true
    }
    if (changesAt !== undefined) timed = true
  }
  const needs = verdict === 'unknown' && !lost ? [...new Set(children.flatMap((child) => child.needs))] : nothing
  const counted = verdict === 'unknown' ? 'not known' : `${matched} of ${children.length} matched`
  const trace: Trace = {
    condition,
    verdict,
    expected: condition === 'all' ? 'all of these' : 'any of these',
    actual: children.length === 0 ? 'no condition' : counted,
    children: children.map((child) => child.trace),
  }
  return { trace, needs, changesAt: timed ? validTime(combinedChange(verdict, deciding, children)) : undefined }
}

export function evaluateCombinator(
  condition: Exclude<Condition, { fact: string }>,
  parts: readonly ConditionResult[],
  goal: Goal,
): ConditionResult {
  if ('all' in condition) return combine('all', parts, goal)
  if ('any' in condition) return combine('any', parts, goal)
  const { trace, ...rest } = parts[0] as ConditionResult
  const inner = { actual: `it is ${trace.verdict}`, children: [trace] }
  const own =
    'not' in condition
      ? { condition: 'not', verdict: OPPOSITE[trace.verdict], expected: 'not this' }
      : { condition: condition.use, verdict: trace.verdict, expected: 'as defined' }
  return { trace: { ...own, ...inner }, ...rest }
}

interface Leaf {
  condition: FactCondition
  fact: Fact
  operator: Operator
  group?: GroupMembers
  expected: string
  test: (actual: Actual) => Verdict
  matcher?: Matcher
}

export interface CompiledCondition {
  condition: Condition
  leaf?: Leaf
  /** The conditions inside `all`, `any`, `not` and `use`. */
  parts: readonly CompiledCondition[]
  cheapestFirst: readonly CompiledCondition[]
  /** Roughly what its verdict costs. */
  cost: number
}

function leafOf(condition: FactCondition): Leaf {
  const { expected } = condition
  const [fact, operator] = [factNamed(condition.fact), operatorNamed(condition.operator)]
  if (fact === undefined || operator === undefined) throw new Error(`no rule file has ${condition.fact}`)
  return {
    condition,
    fact,
    operator,
    group: operator.among?.(expected),
    expected: operator.say(expected, fact.type),
    test: operator.test(expected, fact.type),
    matcher: operator.matcher?.(expected, fact.type),
  }
}

const compiledFiles = new WeakMap<RuleFile, readonly CompiledCondition[]>()

/** The `if` of each rule of a file, in order. */
export function compiledFile(file: RuleFile): readonly CompiledCondition[] {
  const all = new Map<string, CompiledCondition>()
  const compiled = compiledFiles.get(file) ?? file.rules.map((rule) => compileCondition(rule.if, all))
  compiledFiles.set(file, compiled)
  return compiled
}

/** `equal`: the conditions that are compiled already, by their JSON. */
export function compileCondition(
  condition: Condition,
  equal: Map<string, CompiledCondition> = new Map(),
): CompiledCondition {
  const key = JSON.stringify(condition)
  const before = equal.get(key)
  if (before !== undefined) return before
  const parts = partsOf(condition).map((part) => compileCondition(part, equal))
  const leaf = 'fact' in condition ? leafOf(condition) : undefined
  // Lists of files are the longest.
  const isOfPaths = leaf?.fact.type.name === 'list' && leaf.fact.type.globs === 'path'
  const own = leaf === undefined ? 0 : leaf.matcher === undefined ? 1 : isOfPaths ? 10 : 2
  const compiled: CompiledCondition = {
    condition,
    leaf,
    parts,
    cheapestFirst: [...parts].sort((one, other) => one.cost - other.cost),
    cost: parts.reduce((sum, part) => sum + part.cost, own),
  }
  equal.set(key, compiled)
  return compiled
}

export interface ConditionEvaluation {
  /** The verdict alone. Stops at the first part that decides it. */
  verdict(condition: CompiledCondition): Verdict
  /** The verdict with its trace, and the sources that could still change it. */
  trace(condition: CompiledCondition, goal: Goal): ConditionResult
}

export function createEvaluation(view: FactReader, limits?: EvaluationLimits): ConditionEvaluation {
  /** Of combinations: the same definition may be used many times. */
  const verdicts = new Map<CompiledCondition, Verdict>()
  const traces = {
    true: new Map<CompiledCondition, ConditionResult>(),
    either: new Map<CompiledCondition, ConditionResult>(),
  }

  function verdict(each: CompiledCondition): Verdict {
    if (each.leaf !== undefined) return factVerdict(each.leaf, view, limits)
    const before = verdicts.get(each)
    if (before !== undefined) return before
    const found = combined(each)
    verdicts.set(each, found)
    return found
  }

  function combined({ condition, parts, cheapestFirst }: CompiledCondition): Verdict {
    if ('use' in condition) return verdict(parts[0] as CompiledCondition)
    if ('not' in condition) return OPPOSITE[verdict(parts[0] as CompiledCondition)]
    const deciding: Verdict = 'all' in condition ? 'false' : 'true'
    let found = OPPOSITE[deciding]
    for (const part of cheapestFirst) {
      const each = verdict(part)
      if (each === deciding) return each
      if (each === 'unknown') found = each
    }
    return found
  }

  function trace(each: CompiledCondition, goal: Goal): ConditionResult {
    const before = traces[goal].get(each)
    if (before !== undefined) return before
    const { condition, parts, leaf } = each
    const inner = 'not' in condition ? 'either' : goal
    const found =
      leaf === undefined
        ? evaluateCombinator(
            condition as Exclude<Condition, { fact: string }>,
            parts.map((part) => trace(part, inner)),
            goal,
          )
        : evaluateFact(leaf, view, goal, limits)
    traces[goal].set(each, found)
    return found
  }

  return { verdict, trace }
}

export function evaluateCondition(condition: Condition, view: FactReader): ConditionResult {
  return createEvaluation(view).trace(compileCondition(condition), 'true')
}
