// Evaluates all rules on what is known: their verdicts, and traces on request.
import { createView, type FactReader } from '../../facts/reading/fact-view.ts'
import { isFor } from '../../language/events.ts'
import { textFacts } from '../../language/groups.ts'
import { createPatternBudgets, type PatternBudgets } from '../../language/patterns/pattern-budget.ts'
import type { TextFacts } from '../../language/templates.ts'
import type { Trust, Verdict } from '../../language/values/rule-types.ts'
import type { DecideInput } from '../../types.ts'
import { isOwnDoing } from '../memory/own-event.ts'
import { type EvaluatedVersion, movedSince } from '../memory/standing-requests.ts'
import { type ConditionEvaluation, createEvaluation } from './condition-evaluation.ts'
import type { ConditionResult, EvaluationLimits } from './evaluate-condition.ts'
import { patternLimit } from './pattern-limit.ts'
import type { RuleEvaluation } from './rules-in-force.ts'
import { withdrawalsOf } from './unknown-restraint.ts'

export interface EvaluatedRules {
  verdicts: readonly Verdict[]
  trace(place: number): ConditionResult
  view(evaluation: RuleEvaluation): FactReader
  texts(evaluation: RuleEvaluation): TextFacts
}

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

function movedRequest({ request }: RuleEvaluation, version: EvaluatedVersion): ConditionResult | undefined {
  const moved = request && movedSince(request, version)
  if (moved === undefined) return undefined
  const name = moved.fact === 'head' ? 'head' : 'target branch'
  return falseTrace(moved.fact, moved.requested, moved.actual, `to request it again for the new ${name}`)
}

function resultWithoutConditions(
  each: RuleEvaluation,
  input: DecideInput,
  version: EvaluatedVersion,
): ConditionResult | undefined {
  if (each.mode === 'off') return falseTrace('mode', 'act or observe', 'off', 'to let the rule act, or observe')
  if (each.rule.on === undefined) return undefined
  return each.occurrence === undefined ? noEvent(each, input) : movedRequest(each, version)
}

/** Each side has its own budget: a repository cannot use up what the operator's rules need. */
function limitsFor(budgets: PatternBudgets, { policy }: DecideInput): Record<Trust, EvaluationLimits> {
  return {
    operator: { budget: budgets.operator, anyGroup: true },
    repository: { budget: budgets.repository, anyGroup: policy?.groups === 'any' },
  }
}

/** A view, and the evaluations of each side's conditions on it. */
type ViewEvaluation = Record<Trust, ConditionEvaluation> & { view: FactReader }

/** `state` is the view of all state rules. Event rules have one for each event. */
export function evaluateRules(
  rules: readonly RuleEvaluation[],
  input: DecideInput,
  state: FactReader,
  version: EvaluatedVersion,
): EvaluatedRules {
  const { budgets = createPatternBudgets() } = input
  const limits = limitsFor(budgets, input)
  const evaluationOn = (view: FactReader): ViewEvaluation => ({
    view,
    operator: createEvaluation(view, limits.operator),
    repository: createEvaluation(view, limits.repository),
  })
  const views = new Map<string | undefined, ViewEvaluation>([[undefined, evaluationOn(state)]])
  const viewFor = ({ occurrence }: RuleEvaluation): ViewEvaluation => {
    const found = views.get(occurrence?.id) ?? evaluationOn(createView(input, occurrence?.event))
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
    trace(place) {
      const each = rules[place] as RuleEvaluation
      // For a rule that withdraws something, a false verdict matters too.
      const goal = withdrawalsOf(each).length > 0 ? 'either' : 'true'
      return (
        resultWithoutConditions(each, input, version) ??
        exceeded[each.file.trust] ??
        evaluationOf(each).trace(each.condition, goal)
      )
    },
    view: (evaluation) => viewFor(evaluation).view,
    texts: (evaluation) => textFacts(evaluation.rule, viewFor(evaluation).view, budgets.groups),
  }
}
