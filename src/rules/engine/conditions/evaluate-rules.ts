// Evaluates all rules on what is known: their verdicts, traces on request, and what unknown rules restrain.

import { createView, type FactReader } from '../../facts/reading/fact-view.ts'
import { isFor } from '../../language/events.ts'
import { textFacts } from '../../language/groups.ts'
import { createPatternBudgets, MOST_STEPS, type StepBudget } from '../../language/patterns/pattern-budget.ts'
import type { Trust, Verdict } from '../../language/values/rule-types.ts'
import type { DecideInput, Decision, SourceName } from '../../types.ts'
import { type EvaluatedVersion, isOwnDoing, movedSince } from '../memory/standing-requests.ts'
import {
  type CompiledCondition,
  type ConditionEvaluation,
  type ConditionResult,
  createEvaluation,
} from './evaluate-condition.ts'
import type { RuleEvaluation } from './rules-in-force.ts'

const falseTrace = (condition: string, expected: string, actual: string, toFix?: string): ConditionResult => ({
  trace: { condition, verdict: 'false', expected, actual, toFix },
  needs: [],
})

/** An event rule without an event of another user: nothing is read for it. */
function noEvent({ rule: { on = [] } }: RuleEvaluation, input: DecideInput): ConditionResult {
  const expected = on.map(({ kind }) => kind).join(' or ')
  const own = input.events
    .filter(({ event }) => isFor(on, event) && isOwnDoing(event, input))
    .map(({ event }) => event.kind)
  if (own.length === 0) return falseTrace('on', expected, 'no such event')
  const actual = `${[...new Set(own)].join(' and ')} by ${input.bot.username}: Bellhop’s own events start no rule`
  return falseTrace('on', expected, actual)
}

function resultWithoutConditions(
  each: RuleEvaluation,
  input: DecideInput,
  version: EvaluatedVersion,
): ConditionResult | undefined {
  if (each.mode === 'off') return falseTrace('mode', 'act or observe', 'off', 'to let the rule act, or observe')
  if (each.rule.on === undefined) return undefined
  if (each.occurrence === undefined) return noEvent(each, input)
  const moved = each.request && movedSince(each.request, version)
  if (moved === undefined) return undefined
  const name = moved.fact === 'head' ? 'head' : 'target branch'
  return falseTrace(moved.fact, moved.requested, moved.actual, `to request it again for the new ${name}`)
}

/** A view, and the evaluations of each side's conditions on it. */
type ViewEvaluation = Record<Trust, ConditionEvaluation> & { view: FactReader }

const leavesIn = (each: CompiledCondition): CompiledCondition[] =>
  each.leaf === undefined ? each.parts.flatMap(leavesIn) : [each]

/** `state` is the view of all state rules. Event rules have one for each event. */
export function evaluateRules(
  rules: readonly RuleEvaluation[],
  input: DecideInput,
  state: FactReader,
  version: EvaluatedVersion,
) {
  const { budgets = createPatternBudgets() } = input
  const anyGroup = input.policy?.groups === 'any'
  // Each side has its own budget: a repository cannot use up what the operator's rules need.
  const evaluationOn = (view: FactReader): ViewEvaluation => ({
    view,
    operator: createEvaluation(view, { budget: budgets.operator, anyGroup: true }),
    repository: createEvaluation(view, { budget: budgets.repository, anyGroup }),
  })
  const views = new Map<string | undefined, ViewEvaluation>([[undefined, evaluationOn(state)]])
  const viewFor = ({ occurrence }: RuleEvaluation): ViewEvaluation => {
    const before = views.get(occurrence?.id)
    if (before !== undefined) return before
    const found = evaluationOn(createView(input, occurrence?.event))
    views.set(occurrence?.id, found)
    return found
  }
  const evaluationOf = (each: RuleEvaluation): ConditionEvaluation => viewFor(each)[each.file.trust]
  const verdicts = rules.map(
    (each): Verdict =>
      resultWithoutConditions(each, input, version)?.trace.verdict ?? evaluationOf(each).verdict(each.condition),
  )
  // All rules of a side are unknown then, also those evaluated before: one of the others may restrain them.
  const exceeded = { operator: patternLimit(budgets.operator), repository: patternLimit(budgets.repository) }
  rules.forEach((each, place) => {
    if (exceeded[each.file.trust] !== undefined)
      verdicts[place] = resultWithoutConditions(each, input, version)?.trace.verdict ?? 'unknown'
  })
  return {
    verdicts,
    trace(place: number): ConditionResult {
      const each = rules[place] as RuleEvaluation
      // For a rule that withdraws something, a false verdict matters too.
      const goal = each.withdrawals.length > 0 ? 'either' : 'true'
      return (
        resultWithoutConditions(each, input, version) ??
        exceeded[each.file.trust] ??
        evaluationOf(each).trace(each.condition, goal)
      )
    },
    /** The sources that no verdict needed, but that tell what the rule lacks. */
    unread: (each: RuleEvaluation): SourceName[] =>
      leavesIn(each.condition).flatMap((leaf) => evaluationOf(each).trace(leaf, 'either').needs),
    view: (evaluation: RuleEvaluation) => viewFor(evaluation).view,
    texts: (evaluation: RuleEvaluation) => textFacts(evaluation.rule, viewFor(evaluation).view, budgets.groups),
  }
}

const CONDITION = 'pattern matching'

const grouped = (steps: number) => Math.ceil(steps).toLocaleString('en-US')

/** The trace of each rule whose budget is exceeded; undefined otherwise. Reading more sources would not help. */
function patternLimit({ isExceeded, taken }: StepBudget): ConditionResult | undefined {
  if (!isExceeded) return undefined
  return {
    trace: {
      condition: CONDITION,
      verdict: 'unknown',
      expected: `at most ${grouped(MOST_STEPS)} steps for the patterns of all rules together`,
      actual: `more: ${grouped(taken)} were reached before all rules were evaluated`,
      toFix: 'fewer or smaller patterns, above all with smaller repetition counts, and shorter texts',
    },
    needs: [],
  }
}

/** Why patterns made rules of the decision unknown; undefined if they did not. */
export function patternLimitIn({ rules }: Pick<Decision, 'rules'>): string | undefined {
  const limited = rules.find(({ conditions }) => conditions.condition === CONDITION)
  return limited === undefined ? undefined : `Matching their patterns takes ${limited.conditions.actual}.`
}

/** The restrained actions with the reason. Fails closed: an overlong text must not evade a rule that withdraws. */
export function restrainedByUnknown(unknown: readonly RuleEvaluation[]): Map<string, string> {
  const restrained = new Map<string, string>()
  for (const each of unknown)
    for (const action of each.withdrawals) {
      const reason = `it is unknown whether ${each.key} requests ${action.name}, which goes first`
      for (const name of action.restrains?.actions ?? []) restrained.set(name, reason)
    }
  return restrained
}
