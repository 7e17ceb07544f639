// Rules that fight: one puts on what another takes off, under conditions that can both hold (DESIGN §4, Conflicts).
import type { Effect } from '../actions/definition/action.ts'
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { holds, operators } from '../language/operators/operators.ts'
import type { Rule } from '../language/values/rule-types.ts'
import { alternatives, type Literal } from './literals.ts'
import { contradiction } from './possible.ts'
import { type LintFinding, whenItActs } from './unreachable.ts'

interface Doing {
  index: number
  action: string
  effect: Effect
}

const keyOf = ({ fact, value }: Effect) => `${fact} ${JSON.stringify(value)}`

function doings(rules: readonly Rule[], way: 'puts' | 'takes'): Doing[] {
  return rules.flatMap((rule, index) =>
    rule.actions.flatMap(({ action, args }) =>
      (actionNamed(action)?.[way]?.(args) ?? []).map((effect) => ({ index, action, effect })),
    ),
  )
}

/** Whether the literal asks for what the actions themselves change: it keeps them apart only until one of them is done. */
function isAbout({ fact, expected }: Literal, effect: Effect): boolean {
  if (fact !== effect.fact) return false
  const type = factNamed(fact)?.type
  return (
    type?.name !== 'list' || holds(operators.any, { value: [effect.value], complete: true, type }, expected) === 'true'
  )
}

const commandsIn = (literals: readonly Literal[]) =>
  literals.filter(({ fact }) => fact === 'command').map(({ expected }) => JSON.stringify(expected))

function canBothHold(one: Rule, other: Rule, effect: Effect): boolean {
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

const sayEffect = ({ fact, value }: Effect) =>
  typeof value === 'string' ? `${JSON.stringify(value)} of ${fact}` : fact

function fightOf(rules: readonly Rule[], puts: Doing, takes: Doing): LintFinding[] {
  const [one, other] = [rules[puts.index], rules[takes.index]]
  if (one === undefined || other === undefined || isOff(one) || isOff(other)) return []
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
  for (const doing of doings(rules, 'takes'))
    takers.set(keyOf(doing.effect), [...(takers.get(keyOf(doing.effect)) ?? []), doing])
  const findings: LintFinding[] = []
  let pairs = 0
  for (const puts of doings(rules, 'puts')) {
    for (const takes of takers.get(keyOf(puts.effect)) ?? []) {
      pairs++
      if (pairs > MOST_PAIRS) return findings
      findings.push(...fightOf(rules, puts, takes))
    }
  }
  return findings
}
