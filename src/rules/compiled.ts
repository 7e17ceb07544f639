// Conditions as they are judged: looked up once for each rule file, and equal ones are one, so that each is answered once for a merge request.
import type { Fact } from './fact.ts'
import { type Actual, type Matching, type Operator, operatorNamed, operators } from './operators.ts'
import type { Condition, RuleFile, Verdict } from './types.ts'
import { factNamed } from './view.ts'

type OfFact = Extract<Condition, { fact: string }>

/** A condition on one fact, with what it says, in words. */
export interface Leaf {
  condition: OfFact
  /** Of a name that this version knows. */
  known?: { fact: Fact; operator: Operator; wanted: string; holds: (actual: Actual) => Verdict; matching?: Matching }
}

/** A condition with its place among those of its file; equal ones of a file are one. */
export interface Compiled {
  id: number
  condition: Condition
  leaf?: Leaf
  /** What `all` and `any` join; the one that `not` and `use` are about. */
  parts: readonly Compiled[]
  /** The same, in the order in which their verdicts are asked for: a name is compared sooner than files are looked through. */
  cheapestFirst: readonly Compiled[]
  /** About how much its verdict costs. */
  cost: number
  /** Its verdict may change though nothing happens. */
  timed: boolean
}

/** The conditions of one rule file, those of its rules in their order. */
export interface CompiledFile {
  rules: readonly Compiled[]
  size: number
}

export function leafOf(condition: OfFact): Leaf {
  const [fact, operator] = [factNamed(condition.fact), operatorNamed(condition.operator)]
  if (fact === undefined || operator === undefined) return { condition }
  const { wanted } = condition
  const known = { fact, operator, wanted: operator.say(wanted, fact.type), holds: operator.test(wanted, fact.type) }
  const matching = operator.matching?.(wanted, fact.type)
  return { condition, known: matching === undefined ? known : { ...known, matching } }
}

/** As long as a rule file is in force, it is compiled once. */
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
    timed: parts.some((part) => part.timed) || leaf?.known?.operator.changesIn !== undefined,
  }
  all.set(key, compiled)
  return compiled
}

function costOf({ known }: Leaf): number {
  if (known === undefined) return 0
  const { fact, operator } = known
  if (fact.type.name !== 'list') return operator === operators.matches || operator === operators.glob ? 2 : 1
  // Files are the longest list there is.
  return fact.type.globs === 'path' ? 10 : 2
}

function partsOf(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  if ('not' in condition) return [condition.not]
  return 'use' in condition ? [condition.is] : []
}

function keyOf(condition: Condition, parts: readonly Compiled[]): string {
  if ('fact' in condition) return `fact ${JSON.stringify([condition.fact, condition.operator, condition.wanted])}`
  const ids = parts.map(({ id }) => id).join(' ')
  if ('use' in condition) return `use ${condition.use} ${ids}`
  return `${'all' in condition ? 'all' : 'any' in condition ? 'any' : 'not'} ${ids}`
}
