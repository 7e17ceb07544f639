// Compiles the conditions of a rule file for evaluation. Equal conditions become one, so that each is evaluated once for a merge request.
import type { Fact } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import type { Matcher } from '../../language/operators/list-match.ts'
import { type Actual, type Operator, operatorNamed } from '../../language/operators/operators.ts'
import type { Condition, RuleFile, Verdict } from '../../language/values/rule-types.ts'

type OfFact = Extract<Condition, { fact: string }>

/** A condition on one fact. */
export interface Leaf {
  condition: OfFact
  /** Present where this version knows both names. */
  known?: { fact: Fact; operator: Operator; expected: string; holds: (actual: Actual) => Verdict; matcher?: Matcher }
}

/** A condition, compiled. */
export interface Compiled {
  condition: Condition
  leaf?: Leaf
  /** The conditions inside `all`, `any`, `not` and `use`. */
  parts: readonly Compiled[]
  /** The same, in the order of evaluation. */
  cheapestFirst: readonly Compiled[]
  /** Roughly what its verdict costs. */
  cost: number
}

function leafOf(condition: OfFact): Leaf {
  const [fact, operator] = [factNamed(condition.fact), operatorNamed(condition.operator)]
  if (fact === undefined || operator === undefined) return { condition }
  const { expected } = condition
  const known = {
    fact,
    operator,
    expected: operator.say(expected, fact.type),
    holds: operator.test(expected, fact.type),
  }
  const matcher = operator.matcher?.(expected, fact.type)
  return { condition, known: matcher === undefined ? known : { ...known, matcher } }
}

const compiledFiles = new WeakMap<RuleFile, readonly Compiled[]>()

/** The `if` of each rule of a file, in order. */
export function compiledFile(file: RuleFile): readonly Compiled[] {
  const all = new Map<string, Compiled>()
  const compiled = compiledFiles.get(file) ?? file.rules.map((rule) => compileCondition(rule.if, all))
  compiledFiles.set(file, compiled)
  return compiled
}

/** `equal`: the conditions that are compiled already, by what they say. */
export function compileCondition(condition: Condition, equal: Map<string, Compiled> = new Map()): Compiled {
  const key = JSON.stringify(condition)
  const before = equal.get(key)
  if (before !== undefined) return before
  const parts = partsOf(condition).map((part) => compileCondition(part, equal))
  const leaf = 'fact' in condition ? leafOf(condition) : undefined
  const compiled: Compiled = {
    condition,
    ...(leaf === undefined ? {} : { leaf }),
    parts,
    cheapestFirst: [...parts].sort((one, other) => one.cost - other.cost),
    cost: parts.reduce((sum, part) => sum + part.cost, leaf === undefined ? 0 : costOf(leaf)),
  }
  equal.set(key, compiled)
  return compiled
}

function costOf({ known }: Leaf): number {
  if (known === undefined) return 0
  const { fact, matcher } = known
  if (matcher === undefined) return 1
  // Files are the longest list there is.
  return fact.type.name === 'list' && fact.type.globs === 'path' ? 10 : 2
}

function partsOf(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  if ('not' in condition) return [condition.not]
  return 'use' in condition ? [condition.is] : []
}
