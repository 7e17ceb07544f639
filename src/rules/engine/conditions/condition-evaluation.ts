// Evaluates compiled conditions on one view: each distinct condition once, and its trace only on request.
import type { FactReader } from '../../facts/reading/fact-view.ts'
import type { Condition, Verdict } from '../../language/values/rule-types.ts'
import { type CompiledCondition, compileCondition } from './compiled-conditions.ts'
import {
  type ConditionResult,
  type EvaluationLimits,
  evaluateCombinator,
  evaluateFact,
  factVerdict,
  type Goal,
  OPPOSITE,
} from './evaluate-condition.ts'

export interface ConditionEvaluation {
  /** The verdict alone. Stops at the first part that decides it. */
  verdict(condition: CompiledCondition): Verdict
  /** The verdict with its trace, and the sources that could still change it. */
  trace(condition: CompiledCondition, goal: Goal): ConditionResult
}

export function createEvaluation(view: FactReader, limits?: EvaluationLimits): ConditionEvaluation {
  const verdicts = new Map<CompiledCondition, Verdict>()
  const traces = {
    true: new Map<CompiledCondition, ConditionResult>(),
    either: new Map<CompiledCondition, ConditionResult>(),
  }

  function verdict(each: CompiledCondition): Verdict {
    const found =
      verdicts.get(each) ?? (each.leaf === undefined ? combined(each) : factVerdict(each.leaf, view, limits))
    verdicts.set(each, found)
    return found
  }

  function combined({ condition, parts, cheapestFirst }: CompiledCondition): Verdict {
    if ('use' in condition) return verdict(parts[0] as CompiledCondition)
    if ('not' in condition) return OPPOSITE[verdict(parts[0] as CompiledCondition)]
    const [deciding, otherwise]: Verdict[] = 'all' in condition ? ['false', 'true'] : ['true', 'false']
    let found = otherwise as Verdict
    for (const part of cheapestFirst) {
      const each = verdict(part)
      if (each === deciding) return each
      if (each === 'unknown') found = each
    }
    return found
  }

  function trace(each: CompiledCondition, goal: Goal): ConditionResult {
    const { condition, parts, leaf } = each
    const inner = 'not' in condition ? 'either' : goal
    const evaluate = () =>
      leaf === undefined
        ? evaluateCombinator(
            condition as Exclude<Condition, { fact: string }>,
            parts.map((part) => trace(part, inner)),
            goal,
          )
        : evaluateFact(leaf, view, verdicts.get(each), limits)
    const found = traces[goal].get(each) ?? evaluate()
    traces[goal].set(each, found)
    return found
  }

  return { verdict, trace }
}

export function evaluateCondition(condition: Condition, view: FactReader): ConditionResult {
  return createEvaluation(view).trace(compileCondition(condition), 'true')
}
