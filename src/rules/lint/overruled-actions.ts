// Finds actions that are always overruled: whenever their rule matches, an earlier rule matches too and its value wins.
import { actionNamed } from '../actions/index.ts'
import type { Condition, Json, Rule, RuleAction } from '../language/values/rule-types.ts'
import { conjuncts, type Literal } from './literals.ts'
import { possibleFact } from './possible.ts'
import type { LintFinding } from './unreachable.ts'

/** Whether the first rule always wins: neither conditions of the action nor trust can block it. */
function isSingle({ action: name }: RuleAction): boolean {
  const action = actionNamed(name)
  if (action === undefined || action.join !== undefined || action.per !== undefined) return false
  return action.requires === undefined && action.limited !== 'merge'
}

const same = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other)

/** The part as a literal, if it is about one fact. */
function literalOf(condition: Condition): Literal | undefined {
  if ('fact' in condition) return { ...condition, matches: true }
  return 'not' in condition && 'fact' in condition.not ? { ...condition.not, matches: false } : undefined
}

/** What a rule requires in any case, ready to be compared with other rules. */
interface RuleConditions {
  parts: { text: string; literal: Literal | undefined }[]
  text: ReadonlySet<string>
  known: ReadonlyMap<string, Literal[]>
}

function conditionsOf(rule: Rule): RuleConditions {
  const parts = conjuncts(rule.if).map((part) => ({ text: JSON.stringify(part), literal: literalOf(part) }))
  const known = new Map<string, Literal[]>()
  for (const { literal } of parts)
    if (literal !== undefined) known.set(literal.fact, [...(known.get(literal.fact) ?? []), literal])
  return { parts, text: new Set(parts.map(({ text }) => text)), known }
}

/** Whether `before` is true whenever `after` is. */
function isImplied(before: RuleConditions, after: RuleConditions): boolean {
  const open = before.parts.filter(({ text }) => !after.text.has(text))
  const pairs = open.map(({ literal }) => ({
    literal,
    known: literal === undefined ? undefined : after.known.get(literal.fact),
  }))
  // The fact is known there, so what cannot be false is true.
  return (
    pairs.every(({ known }) => known !== undefined) &&
    pairs.every(
      ({ literal, known = [] }) =>
        literal !== undefined && !possibleFact(literal.fact, [...known, { ...literal, matches: !literal.matches }]),
    )
  )
}

/** The actions of each rule that an earlier rule always overrules. */
export function overruledIn(rules: readonly Rule[]): LintFinding[] {
  const findings: LintFinding[] = []
  const before = new Map<string, { rule: Rule; conditions: RuleConditions; args: Json }[]>()
  for (const [index, rule] of rules.entries()) {
    const actions = rule.on === undefined && rule.mode === undefined ? rule.actions.filter(isSingle) : []
    if (actions.length === 0) continue
    const conditions = conditionsOf(rule)
    for (const { action, args } of actions) {
      const key = `${rule.subject ?? ''} ${action}`
      const earlier = before.get(key) ?? []
      const first = earlier.find((each) => isImplied(each.conditions, conditions))
      if (first !== undefined && !same(first.args, args)) {
        const message = `never wins: the rule ${JSON.stringify(first.rule.name)} (line ${first.rule.line}) comes first wherever this one matches`
        findings.push({ path: ['rules', index, 'then', action], message })
      }
      earlier.push({ rule, conditions, args })
      before.set(key, earlier)
    }
  }
  return findings
}
