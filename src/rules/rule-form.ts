// What was read from a rule file as one short text, so that another process need not read the YAML: its rules or its problems, and nothing that is compiled.
import type { Condition, Json, Problem, ReadRules, Rule, RuleAction, RuleFile } from './types.ts'

/** Four times the longest rule file: by its aliases one may say the same long text many times over. */
const MOST_CHARACTERS = 1_048_576

/** A fact, its operator and what is wanted; what `all`, `any` and `not` are about; the place among the named ones of what `use` stands for, and its name. */
type WrittenCondition = [string, string, Json] | ['all' | 'any', WrittenCondition[]] | ['not', WrittenCondition] | [number, string]
type WrittenAction = [RuleAction['action'], RuleAction['args'], RuleAction['line']]
type UsualOfRule = 'name' | 'line' | 'if' | 'actions' | 'fingerprint'
type WrittenRule = [string, number, WrittenCondition, WrittenAction[], string, Omit<Rule, UsualOfRule>?]

interface WrittenFile extends Omit<RuleFile, 'rules'> {
  /** Each after those that it uses itself. */
  named: WrittenCondition[]
  rules: WrittenRule[]
}

/** The form that `readForm` reads; undefined where it would be too long, or JSON does not hold all of it as it is. */
export function formOf(read: ReadRules): string | undefined {
  return asJson(read.ok ? writtenFile(read.rules) : { problems: read.problems })
}

/** What was read, from a form that `formOf` of this same code wrote: of any other text it says anything, or throws. */
export function readForm(form: string): ReadRules {
  const written = JSON.parse(form) as WrittenFile | { problems: Problem[] }
  if ('problems' in written) return { ok: false, problems: written.problems }
  const { named, rules, ...head } = written
  const conditions: Condition[] = []
  for (const each of named) conditions.push(conditionOf(each, conditions))
  return { ok: true, rules: { ...head, rules: rules.map((rule) => ruleOf(rule, conditions)) } }
}

function writtenFile({ rules, ...head }: RuleFile): WrittenFile {
  const named: WrittenCondition[] = []
  const places = new Map<Condition, number>()
  const write = (condition: Condition): WrittenCondition => {
    if ('fact' in condition) return [condition.fact, condition.operator, condition.wanted]
    if ('all' in condition) return ['all', condition.all.map(write)]
    if ('any' in condition) return ['any', condition.any.map(write)]
    if ('not' in condition) return ['not', write(condition.not)]
    return [places.get(condition.is) ?? place(condition.is), condition.use]
  }
  // Once, however often it is used: what each use stands for may be large.
  const place = (condition: Condition): number => {
    const at = named.push(write(condition)) - 1
    places.set(condition, at)
    return at
  }
  const written = rules.map(({ name, line, if: condition, actions, fingerprint, ...rest }): WrittenRule => {
    const wanted = actions.map(({ action, args, line: at }): WrittenAction => [action, args, at])
    const usual = [name, line, write(condition), wanted, fingerprint] as const
    return Object.keys(rest).length === 0 ? [...usual] : [...usual, rest]
  })
  return { ...head, named, rules: written }
}

function ruleOf([name, line, condition, actions, fingerprint, rest]: WrittenRule, named: readonly Condition[]): Rule {
  return {
    name,
    line,
    if: conditionOf(condition, named),
    actions: actions.map(([action, args, at]) => ({ action, args, line: at })),
    fingerprint,
    ...rest,
  }
}

function conditionOf(written: WrittenCondition, named: readonly Condition[]): Condition {
  if (written.length === 3) {
    const [fact, operator, wanted] = written
    return { fact, operator, wanted }
  }
  switch (written[0]) {
    case 'all':
      return { all: written[1].map((each) => conditionOf(each, named)) }
    case 'any':
      return { any: written[1].map((each) => conditionOf(each, named)) }
    case 'not':
      return { not: conditionOf(written[1], named) }
    default: {
      const [at, use] = written
      const is = named[at]
      if (is === undefined) throw new RangeError(`the form names no condition ${at}`)
      return { use, is }
    }
  }
}

function asJson(value: unknown): string | undefined {
  let characters = 0
  let isSame = true
  const json = JSON.stringify(value, (_key, each: unknown) => {
    // Of these JSON makes another value, or none.
    if (each === undefined || Object.is(each, -0) || (typeof each === 'number' && !Number.isFinite(each))) isSame = false
    characters += typeof each === 'string' ? each.length : 1
    return isSame && characters <= MOST_CHARACTERS ? each : null
  })
  return isSame && characters <= MOST_CHARACTERS ? json : undefined
}
