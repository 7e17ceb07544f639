// Finds rules that conflict under conditions that can match together, and actions that an earlier one always overrules.
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { operators } from '../language/operators/operators.ts'
import type { Condition, Json, Rule, RuleAction } from '../language/values/rule-types.ts'
import type { Effect } from '../types.ts'
import {
  alternatives,
  conjuncts,
  contradiction,
  type LintFinding,
  type Literal,
  possibleFact,
  whenItActs,
} from './possible.ts'

/** An entry of a list that an action adds or removes, or a flag that it sets or clears. */
interface Change {
  fact: string
  value: string | true
  adds: boolean
}

interface RuleChange {
  index: number
  action: string
  change: Change
}

const keyOf = ({ fact, value }: Change) => `${fact} ${JSON.stringify(value)}`

/** The conflicting changes of an effect. For other values the first rule wins, so they never conflict. */
function changesBy(effect: Effect): Change[] {
  const { fact } = effect
  if ('add' in effect) return effect.add.map((value) => ({ fact, value, adds: true }))
  if ('remove' in effect) return effect.remove.map((value) => ({ fact, value, adds: false }))
  if (typeof effect.value === 'boolean') return [{ fact, value: true, adds: effect.value }]
  return fact === 'state' ? [{ fact, value: 'opened', adds: effect.value === 'opened' }] : []
}

function changesOf(rules: readonly Rule[]): RuleChange[] {
  return rules.flatMap((rule, index) =>
    rule.actions.flatMap(({ action, args }) =>
      (actionNamed(action)?.effects?.(args) ?? []).flatMap(changesBy).map((change) => ({ index, action, change })),
    ),
  )
}

/** Whether the literal is about what the actions change: it separates the rules only until one of them acts. */
function isAbout({ fact, expected }: Literal, change: Change): boolean {
  if (fact !== change.fact) return false
  const type = factNamed(fact)?.type
  return (
    type?.name !== 'list' || operators.any.test(expected, type)({ value: [change.value], complete: true }) === 'true'
  )
}

function canBothMatch(one: Rule, other: Rule, change: Change): boolean {
  const all = alternatives({ all: [...whenItActs(one), ...whenItActs(other)] })
  // Too many alternatives: only a certain conflict is a warning.
  if (all === undefined) return false
  return all.some((literals) => {
    const others = literals.filter((literal) => !isAbout(literal, change))
    // One note may have two commands, but people write one.
    const commands = others.filter(({ fact }) => fact === 'command').map(({ expected }) => JSON.stringify(expected))
    return new Set(commands).size < 2 && contradiction(others) === undefined
  })
}

/** Whether two rules can conflict. An event rule acts once, after a person, so no state rule conflicts with it. */
const sameKind = (one: Rule, other: Rule) =>
  (one.on === undefined) === (other.on === undefined) && one.subject === other.subject
const isOff = ({ mode }: Rule) => mode !== undefined && mode !== 'act'

/** `sets` and `clears` a flag, `adds` and `removes` an entry. */
const verbOf = ({ value, adds }: Change) => (value === true ? (adds ? 'sets' : 'clears') : adds ? 'adds' : 'removes')

function sayConflict(late: RuleChange, early: RuleChange, rule: Rule): string {
  const { fact, value } = late.change
  const what = typeof value === 'string' ? `${JSON.stringify(value)} in ${fact}` : fact
  return `${verbOf(late.change)} ${what}, but the rule ${JSON.stringify(rule.name)} (line ${rule.line}) ${verbOf(early.change)} it, and both can match at once`
}

function conflictOf(rules: readonly Rule[], adding: RuleChange, removing: RuleChange): LintFinding[] {
  const [one, other] = [rules[adding.index], rules[removing.index]]
  if (one === undefined || other === undefined || isOff(one) || isOff(other)) return []
  // For one action with one value the first rule wins.
  if (adding.change.value === true && adding.action === removing.action) return []
  if (!sameKind(one, other) || !canBothMatch(one, other, adding.change)) return []
  // An action that restrains the other wins, whatever the order of the rules.
  if (actionNamed(removing.action)?.restrains?.actions.includes(adding.action) === true) {
    if (one !== other) return []
    const message = `is never done: ${removing.action} in the same rule wins`
    return [{ path: ['rules', adding.index, 'then', adding.action], message }]
  }
  const isLater = adding.index >= removing.index
  const [late, early, earlier] = isLater ? [adding, removing, other] : [removing, adding, one]
  return [{ path: ['rules', late.index, 'then', late.action], message: sayConflict(late, early, earlier) }]
}

/** A file with more pairs is checked in part. */
const MOST_PAIRS = 50_000

/** Finds each conflict once, at the rule that comes later. */
export function conflictsIn(rules: readonly Rule[]): LintFinding[] {
  const changes = changesOf(rules)
  const removing = new Map<string, RuleChange[]>()
  for (const each of changes.filter(({ change }) => !change.adds))
    removing.set(keyOf(each.change), [...(removing.get(keyOf(each.change)) ?? []), each])
  const findings: LintFinding[] = []
  let pairs = 0
  for (const adding of changes.filter(({ change }) => change.adds)) {
    for (const other of removing.get(keyOf(adding.change)) ?? []) {
      pairs++
      if (pairs > MOST_PAIRS) return findings
      findings.push(...conflictOf(rules, adding, other))
    }
  }
  return findings
}

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

type RuleConditions = ReturnType<typeof conditionsOf>

/** What a rule requires in any case, ready to be compared with other rules. */
function conditionsOf(rule: Rule) {
  const parts = conjuncts(rule.if).map((part) => ({ text: JSON.stringify(part), literal: literalOf(part) }))
  const known = new Map<string, Literal[]>()
  for (const { literal } of parts)
    if (literal !== undefined) known.set(literal.fact, [...(known.get(literal.fact) ?? []), literal])
  return { parts, text: new Set(parts.map(({ text }) => text)), known }
}

/** Whether `before` is true whenever `after` is. */
function isImplied(before: RuleConditions, after: RuleConditions): boolean {
  const open = before.parts.flatMap(({ text, literal }) => (after.text.has(text) ? [] : [literal]))
  const known = (literal: Literal | undefined) => literal && after.known.get(literal.fact)
  if (open.some((literal) => known(literal) === undefined)) return false
  // The fact is known there, so what cannot be false is true.
  return open.every(
    (literal) =>
      literal !== undefined &&
      !possibleFact(literal.fact, [...(known(literal) ?? []), { ...literal, matches: !literal.matches }]),
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
