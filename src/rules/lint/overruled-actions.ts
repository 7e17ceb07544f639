// Rules whose action is always lost to an earlier rule: wherever they hold, that one holds as well and its value wins.
import { actionNamed } from '../actions/index.ts'
import type { Condition, Json, Rule, RuleAction } from '../language/values/rule-types.ts'
import { conjuncts, type Literal } from './literals.ts'
import { possibleFact } from './possible.ts'
import type { LintFinding } from './unreachable.ts'

/** For these the first rule wins whatever becomes of it: nothing of their own or of trust may stand in its way. */
function isSingle({ action: name }: RuleAction): boolean {
  const action = actionNamed(name)
  if (action === undefined || action.join !== undefined || action.perRule !== undefined || action.perField === true)
    return false
  return action.requires === undefined && action.policy === undefined
}

const same = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other)

/** A part that is one fact, whether it must be true or false. */
function literalOf(condition: Condition): Literal | undefined {
  if ('fact' in condition) return { ...condition, holds: true }
  return 'not' in condition && 'fact' in condition.not ? { ...condition.not, holds: false } : undefined
}

/** What a rule asks for in any case, ready to be compared with that of all others. */
interface Asked {
  parts: { said: string; literal: Literal | undefined }[]
  said: ReadonlySet<string>
  known: ReadonlyMap<string, Literal[]>
}

function askedBy(rule: Rule): Asked {
  const parts = conjuncts(rule.if).map((part) => ({ said: JSON.stringify(part), literal: literalOf(part) }))
  const known = new Map<string, Literal[]>()
  for (const { literal } of parts)
    if (literal !== undefined) known.set(literal.fact, [...(known.get(literal.fact) ?? []), literal])
  return { parts, said: new Set(parts.map(({ said }) => said)), known }
}

/** Whether all that `before` asks for is true wherever all of `after` is. */
function follows(before: Asked, after: Asked): boolean {
  const open = before.parts.filter(({ said }) => !after.said.has(said))
  const pairs = open.map(({ literal }) => ({
    literal,
    known: literal === undefined ? undefined : after.known.get(literal.fact),
  }))
  // The fact is known there: what cannot be false is true.
  return (
    pairs.every(({ known }) => known !== undefined) &&
    pairs.every(
      ({ literal, known = [] }) =>
        literal !== undefined && !possibleFact(literal.fact, [...known, { ...literal, holds: !literal.holds }]),
    )
  )
}

interface Earlier {
  rule: Rule
  asked: Asked
  args: Json
}

/** The actions of each rule that an earlier rule always goes before. */
export function overruledIn(rules: readonly Rule[]): LintFinding[] {
  const findings: LintFinding[] = []
  const before = new Map<string, Earlier[]>()
  for (const [index, rule] of rules.entries()) {
    const actions = rule.on === undefined && rule.mode === undefined ? rule.actions.filter(isSingle) : []
    if (actions.length === 0) continue
    const asked = askedBy(rule)
    for (const { action, args } of actions) {
      const earlier = before.get(action) ?? []
      const first = earlier.find((each) => follows(each.asked, asked))
      if (first !== undefined && !same(first.args, args)) {
        const message = `never wins: the rule ${JSON.stringify(first.rule.name)} (line ${first.rule.line}) comes first wherever this one holds`
        findings.push({ path: ['rules', index, 'then', action], message })
      }
      earlier.push({ rule, asked, args })
      before.set(action, earlier)
    }
  }
  return findings
}
