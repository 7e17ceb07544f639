// Compiles the conditions of a rule file for evaluation. Equal conditions become one, so that each is evaluated once for a merge request.
import type { Fact } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import { type Actual, type Matching, type Operator, operatorNamed } from '../../language/operators/operators.ts'
import type { Condition, RuleFile, Verdict } from '../../language/values/rule-types.ts'

type OfFact = Extract<Condition, { fact: string }>

/** A condition on one fact. */
export interface Leaf {
  condition: OfFact
  /** Present where this version knows both names. */
  known?: { fact: Fact; operator: Operator; expected: string; holds: (actual: Actual) => Verdict; matching?: Matching }
}

/** A condition and its number in its file. */
export interface Compiled {
  id: number
  condition: Condition
  leaf?: Leaf
  /** The conditions inside `all`, `any`, `not` and `use`. */
  parts: readonly Compiled[]
  /** The same, in the order of evaluation. */
  cheapestFirst: readonly Compiled[]
  /** Roughly what its verdict costs. */
  cost: number
}

/** The `if` of each rule of a file, in order. */
export interface CompiledFile {
  rules: readonly Compiled[]
  size: number
}

export function leafOf(condition: OfFact): Leaf {
  const [fact, operator] = [factNamed(condition.fact), operatorNamed(condition.operator)]
  if (fact === undefined || operator === undefined) return { condition }
  const { expected } = condition
  const known = {
    fact,
    operator,
    expected: operator.say(expected, fact.type),
    holds: operator.test(expected, fact.type),
  }
  const matching = operator.matching?.(expected, fact.type)
  return { condition, known: matching === undefined ? known : { ...known, matching } }
}

const compiledFiles = new WeakMap<RuleFile, CompiledFile>()

export function compiledFile(file: RuleFile): CompiledFile {
  const before = compiledFiles.get(file)
  if (before !== undefined) return before
  const all = new Map<string, Compiled>()
  const rules = file.rules.map((rule) => compile(rule.if, all))
  const compiled = { rules, size: all.size }
  compiledFiles.set(file, compiled)
  return compiled
}

function compile(condition: Condition, all: Map<string, Compiled>): Compiled {
  const parts = partsOf(condition).map((part) => compile(part, all))
  const key = keyOf(condition, parts)
  const before = all.get(key)
  if (before !== undefined) return before
  const leaf = 'fact' in condition ? leafOf(condition) : undefined
  const compiled: Compiled = {
    id: all.size,
    condition,
    ...(leaf === undefined ? {} : { leaf }),
    parts,
    cheapestFirst: [...parts].sort((one, other) => one.cost - other.cost),
    cost: parts.reduce((sum, part) => sum + part.cost, leaf === undefined ? 0 : costOf(leaf)),
  }
  all.set(key, compiled)
  return compiled
}

function costOf({ known }: Leaf): number {
  if (known === undefined) return 0
  const { fact, matching } = known
  if (matching === undefined) return 1
  // Files are the longest list there is.
  return fact.type.name === 'list' && fact.type.globs === 'path' ? 10 : 2
}

function partsOf(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  if ('not' in condition) return [condition.not]
  return 'use' in condition ? [condition.is] : []
}

function keyOf(condition: Condition, parts: readonly Compiled[]): string {
  if ('fact' in condition) return `fact ${JSON.stringify([condition.fact, condition.operator, condition.expected])}`
  const ids = parts.map(({ id }) => id).join(' ')
  if ('use' in condition) return `use ${condition.use} ${ids}`
  return `${'all' in condition ? 'all' : 'any' in condition ? 'any' : 'not'} ${ids}`
}
