// Rules that fight: one puts on what another takes off, under conditions that can both hold (DESIGN §4, Conflicts).
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { operators, testValue } from '../language/operators/operators.ts'
import type { Rule } from '../language/values/rule-types.ts'
import type { Effect } from '../types.ts'
import { alternatives, type Literal } from './literals.ts'
import { contradiction } from './possible.ts'
import { type LintFinding, whenItActs } from './unreachable.ts'

/** Something that an action puts on or takes off: an entry of a list, or a truth. */
interface Change {
  fact: string
  value: string | true
  puts: boolean
}

interface Doing {
  index: number
  action: string
  effect: Change
}

const keyOf = ({ fact, value }: Change) => `${fact} ${JSON.stringify(value)}`

/** Of a value of many the first rule wins: only what is on or off, open or closed, can be put on and taken off. */
function changesBy(effect: Effect): Change[] {
  const { fact } = effect
  if ('add' in effect) return effect.add.map((value) => ({ fact, value, puts: true }))
  if ('remove' in effect) return effect.remove.map((value) => ({ fact, value, puts: false }))
  if (typeof effect.value === 'boolean') return [{ fact, value: true, puts: effect.value }]
  return fact === 'state' ? [{ fact, value: 'opened', puts: effect.value === 'opened' }] : []
}

function doingsOf(rules: readonly Rule[]): Doing[] {
  return rules.flatMap((rule, index) =>
    rule.actions.flatMap(({ action, args }) =>
      (actionNamed(action)?.effects?.(args) ?? []).flatMap(changesBy).map((effect) => ({ index, action, effect })),
    ),
  )
}

/** Whether the literal asks for what the actions themselves change: it keeps them apart only until one of them is done. */
function isAbout({ fact, expected }: Literal, effect: Change): boolean {
  if (fact !== effect.fact) return false
  const type = factNamed(fact)?.type
  return (
    type?.name !== 'list' ||
    testValue(operators.any, { value: [effect.value], complete: true, type }, expected) === 'true'
  )
}

const commandsIn = (literals: readonly Literal[]) =>
  literals.filter(({ fact }) => fact === 'command').map(({ expected }) => JSON.stringify(expected))

function canBothHold(one: Rule, other: Rule, effect: Change): boolean {
  const all = alternatives({ all: [...whenItActs(one), ...whenItActs(other)] })
  // Too many to look at: a warning that cannot be sure is none.
  if (all === undefined) return false
  return all.some((literals) => {
    const others = literals.filter((literal) => !isAbout(literal, effect))
    // Two commands may stand in one note, but nobody writes them there.
    return new Set(commandsIn(others)).size < 2 && contradiction(others) === undefined
  })
}

/** An event acts once: against a rule that holds for a while it is a person's word, and no fight. */
const sameKind = (one: Rule, other: Rule) => (one.on === undefined) === (other.on === undefined)
const isOff = ({ mode }: Rule) => mode !== undefined && mode !== 'act'

const sayEffect = ({ fact, value }: Change) =>
  typeof value === 'string' ? `${JSON.stringify(value)} of ${fact}` : fact

function fightOf(rules: readonly Rule[], puts: Doing, takes: Doing): LintFinding[] {
  const [one, other] = [rules[puts.index], rules[takes.index]]
  if (one === undefined || other === undefined || isOff(one) || isOff(other)) return []
  // Of one value the first rule wins.
  if (puts.effect.value === true && puts.action === takes.action) return []
  if (!sameKind(one, other) || !canBothHold(one, other, puts.effect)) return []
  const [late, early] = puts.index >= takes.index ? [puts, takes] : [takes, puts]
  const rule = rules[early.index]
  const [does, undoes] = late === puts ? ['puts on', 'takes off'] : ['takes off', 'puts on']
  const what = sayEffect(puts.effect)
  const message = `conflicts with the rule ${JSON.stringify(rule?.name)} (line ${rule?.line}): this ${does} ${what}, that ${undoes} it (${early.action}), and both can hold at once`
  return [{ path: ['rules', late.index, 'then', late.action], message }]
}

/** A file with more pairs is looked at in part. */
const MOST_PAIRS = 50_000

/** Each fight once, at the rule that comes later. */
export function conflictsIn(rules: readonly Rule[]): LintFinding[] {
  const takers = new Map<string, Doing[]>()
  const doings = doingsOf(rules)
  for (const doing of doings.filter(({ effect }) => !effect.puts))
    takers.set(keyOf(doing.effect), [...(takers.get(keyOf(doing.effect)) ?? []), doing])
  const findings: LintFinding[] = []
  let pairs = 0
  for (const puts of doings.filter(({ effect }) => effect.puts)) {
    for (const takes of takers.get(keyOf(puts.effect)) ?? []) {
      pairs++
      if (pairs > MOST_PAIRS) return findings
      findings.push(...fightOf(rules, puts, takes))
    }
  }
  return findings
}
