// Coverage of a rule file by decisions: which rules and conditions were true, and which were false.

import { leavesOf, partsOf, sayExpected } from '../language/conditions.ts'
import type { Condition, RuleFile } from '../language/values/rule-types.ts'
import type { Decision, Trace } from '../types.ts'

interface ConditionCoverage {
  /** A rule's name, or a condition in words. */
  says: string
  seenTrue: boolean
  seenFalse: boolean
}

interface RuleCoverage extends ConditionCoverage {
  line: number
  conditions: ConditionCoverage[]
}

export interface Coverage {
  file: string
  rules: RuleCoverage[]
  /** How many verdicts were seen of `of`: true and false for each rule and condition. */
  seen: number
  of: number
}

/** The traces of a condition's leaves, in order; undefined if others were evaluated (no event, another head). */
function tracesOf(condition: Condition, trace: Trace): Trace[] | undefined {
  if ('fact' in condition)
    return trace.children === undefined && trace.condition === condition.fact ? [trace] : undefined
  const inside = partsOf(condition)
  const { children } = trace
  if (children === undefined || children.length !== inside.length) return undefined
  const found = inside.map((each, index) => tracesOf(each, children[index] as Trace))
  return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? [])
}

const seenIn = (says: string, verdicts: readonly (string | undefined)[]): ConditionCoverage => ({
  says,
  seenTrue: verdicts.includes('true'),
  seenFalse: verdicts.includes('false'),
})

/** The coverage of one file by decisions in which it was in force under that path. */
export function coverageOf(rules: RuleFile, path: string, decisions: readonly Decision[]): Coverage {
  const traces = decisions.flatMap((decision) => decision.rules).filter(({ file }) => file === path)
  const covered = rules.rules.map((rule): RuleCoverage => {
    const own = traces.filter((trace) => trace.name === rule.name)
    const leaves = own.map(({ conditions }) => tracesOf(rule.if, conditions))
    const verdicts = own.map(({ verdict }) => verdict)
    return {
      ...seenIn(rule.name, verdicts),
      line: rule.line,
      conditions: leavesOf(rule.if).map((leaf, index) =>
        seenIn(
          `${leaf.fact}: ${sayExpected(leaf)}`,
          leaves.map((each) => each?.[index]?.verdict),
        ),
      ),
    }
  })
  const all = covered.flatMap((rule) => [rule, ...rule.conditions])
  const seen = all.reduce((sum, each) => sum + Number(each.seenTrue) + Number(each.seenFalse), 0)
  return { file: path, rules: covered, seen, of: 2 * all.length }
}

/** One line for each verdict that was never seen. */
export function neverSeen({ rules }: Coverage): string[] {
  const never = (what: string, { says, seenTrue, seenFalse }: ConditionCoverage): string[] => {
    if (seenTrue && seenFalse) return []
    return [`${what}${says} was never seen ${seenTrue ? 'false' : seenFalse ? 'true' : 'true or false'}`]
  }
  return rules.flatMap((rule) => [
    ...never('rule ', rule),
    ...rule.conditions.flatMap((condition) => never(`rule ${rule.says}: condition `, condition)),
  ])
}
