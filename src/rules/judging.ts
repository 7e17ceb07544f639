// Judges the rules of the files in force on one view: each distinct condition of a file once, and its trace only where it is asked for.
import type { Compiled, CompiledFile } from './compiled.ts'
import { type Goal, type Judged, judgeFact, judgeWhole, type Limits, verdictOf } from './judge.ts'
import type { Verdict } from './types.ts'
import type { View } from './view.ts'

/** What is found out about the conditions of one file. */
export interface Judging {
  /** The verdict alone: as soon as it is settled, the rest is not looked at. */
  verdict(condition: Compiled): Verdict
  /** With its trace, and the sources that could still change it: the same as `judge` gives for the condition by itself. */
  judge(condition: Compiled, goal: Goal): Judged
}

export function createJudging({ size }: CompiledFile, view: View, limits?: Limits): Judging {
  const verdicts = new Array<Verdict | undefined>(size)
  let traced: Record<Goal, (Judged | undefined)[]> | undefined

  function verdict(each: Compiled): Verdict {
    const before = verdicts[each.id]
    if (before !== undefined) return before
    const found = each.leaf === undefined ? wholeVerdict(each) : verdictOf(each.leaf, view, limits)
    verdicts[each.id] = found
    return found
  }

  function wholeVerdict({ condition, parts, cheapestFirst }: Compiled): Verdict {
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

  function judgeAt(each: Compiled, goal: Goal): Judged {
    traced ??= { true: new Array(size), either: [] }
    const judged = traced[goal]
    const before = judged[each.id]
    if (before !== undefined) return before
    const { condition, parts, leaf } = each
    const inside = 'not' in condition ? 'either' : goal
    const found =
      leaf === undefined
        ? judgeWhole(
            condition as Exclude<typeof condition, { fact: string }>,
            parts.map((part) => judgeAt(part, inside)),
            goal,
          )
        : judgeFact(leaf, view, verdicts[each.id], limits)
    judged[each.id] = found
    return found
  }

  return { verdict, judge: judgeAt }
}
