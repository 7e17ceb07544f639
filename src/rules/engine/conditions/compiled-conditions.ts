// Compiles the conditions of a rule file. Equal conditions become one, which is evaluated once for a merge request.
import type { Fact } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import { type FactCondition, partsOf } from '../../language/conditions.ts'
import type { Matcher } from '../../language/operators/list-match.ts'
import { type Actual, type Operator, operatorNamed } from '../../language/operators/operators.ts'
import type { Condition, RuleFile, Verdict } from '../../language/values/rule-types.ts'

export interface Leaf {
  condition: FactCondition
  fact: Fact
  operator: Operator
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
  const compiled: CompiledCondition = {
    condition,
    leaf,
    parts,
    cheapestFirst: [...parts].sort((one, other) => one.cost - other.cost),
    cost: parts.reduce((sum, part) => sum + part.cost, leaf === undefined ? 0 : costOf(leaf)),
  }
  equal.set(key, compiled)
  return compiled
}

function costOf({ fact, matcher }: Leaf): number {
  if (matcher === undefined) return 1
  // Lists of files are the longest.
  return fact.type.name === 'list' && fact.type.globs === 'path' ? 10 : 2
}
