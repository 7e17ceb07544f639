// Evaluates the conditions of one rule file on one view: each distinct condition once, and its trace only where one is requested.
import type { FactReader } from '../../facts/reading/fact-view.ts'
import type { Verdict } from '../../language/values/rule-types.ts'
import type { Compiled, CompiledFile } from './compiled-conditions.ts'
import {
  type ConditionResult,
  type EvaluationLimits,
  evaluateCombinator,
  evaluateFact,
  factVerdict,
  type Goal,
} from './evaluate-condition.ts'

export interface FileEvaluation {
  /** The verdict alone. Stops at the first part that settles it. */
  verdict(condition: Compiled): Verdict
  /** The verdict with its trace, and the sources that could still change it. */
  trace(condition: Compiled, goal: Goal): ConditionResult
}

export function createFileEvaluation(
  { size }: CompiledFile,
  view: FactReader,
  limits?: EvaluationLimits,
): FileEvaluation {
  const verdicts = new Array<Verdict | undefined>(size)
  const traces: Record<Goal, (ConditionResult | undefined)[]> = { true: [], either: [] }

  function verdict(each: Compiled): Verdict {
    const found = verdicts[each.id] ?? (each.leaf === undefined ? combined(each) : factVerdict(each.leaf, view, limits))
    verdicts[each.id] = found
    return found
  }

  function combined({ condition, parts, cheapestFirst }: Compiled): Verdict {
    if (!('all' in condition || 'any' in condition)) {
      const inner = verdict(parts[0] as Compiled)
      return 'use' in condition || inner === 'unknown' ? inner : inner === 'true' ? 'false' : 'true'
    }
    const settles = 'all' in condition ? 'false' : 'true'
    let found: Verdict = 'all' in condition ? 'true' : 'false'
    for (const part of cheapestFirst) {
      const each = verdict(part)
      if (each === settles) return settles
      if (each === 'unknown') found = 'unknown'
    }
    return found
  }

  function trace(each: Compiled, goal: Goal): ConditionResult {
    const before = traces[goal][each.id]
    if (before !== undefined) return before
    const { condition, parts, leaf } = each
    const found =
      leaf === undefined
        ? evaluateCombinator(
            condition as Exclude<typeof condition, { fact: string }>,
            parts.map((part) => trace(part, 'not' in condition ? 'either' : goal)),
            goal,
          )
        : evaluateFact(leaf, view, verdicts[each.id], limits)
    traces[goal][each.id] = found
    return found
  }

  return { verdict, trace }
}
