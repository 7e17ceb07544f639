// Finds rules that can never match, and actions whose own conditions exclude those of their rule.
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { factsIn } from '../language/conditions.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import type { Condition, Rule } from '../language/values/rule-types.ts'
import type { Path } from '../language/values/shapes.ts'
import type { Literal } from './literals.ts'
import { contradictions } from './possible.ts'

export interface LintFinding {
  path: Path
  /** The finding is at the value; absent if it is at the key. */
  at?: 'value'
  message: string
}

/** The condition that the event is one of the rule's. */
function eventConditions({ on }: Rule): Condition[] {
  if (on === undefined) return []
  const operatorOf = (kind: string) => (kind.endsWith('*') ? 'glob' : 'one_of')
  return [{ any: on.map(({ kind }) => ({ fact: 'event', operator: operatorOf(kind), expected: [kind] })) }]
}

/** Everything that must be true when the rule acts. */
export const whenItActs = (rule: Rule): Condition[] => [rule.if, ...eventConditions(rule)]

function say({ fact, operator, expected, matches }: Literal): string {
  const type = factNamed(fact)?.type
  const words = type === undefined ? JSON.stringify(expected) : operatorNamed(operator)?.say(expected, type)
  return `${fact} ${matches ? '' : 'not '}${words}`
}

/** Why all alternatives are impossible: their one reason, or the facts. */
function sayContradictions(all: readonly Literal[][]): string {
  const said = [...new Set(all.map((literals) => [...new Set(literals.map(say))].join(' and ')))]
  const [only] = said
  if (said.length === 1 && only !== undefined) return only
  return `the conditions on ${[...new Set(all.flat().map(({ fact }) => fact))].join(', ')}`
}

/** Conditions that each fact has a value which issues can have. */
function issueConditions({ subject, if: condition }: Rule): Condition[] {
  if (subject !== 'issue') return []
  return [...new Set(factsIn(condition))].flatMap((fact) => {
    const values = factNamed(fact)?.valuesOfIssues
    return values === undefined ? [] : [{ fact, operator: 'one_of', expected: [...values] }]
  })
}

/** The conditions of the rule that no issue meets. */
function sayOfNoIssue(all: readonly Literal[][]): string {
  const isOwn = ({ fact, expected, matches }: Literal) =>
    !(matches && JSON.stringify(expected) === JSON.stringify(factNamed(fact)?.valuesOfIssues))
  const said = all.map((literals) => [...new Set(literals.filter(isOwn).map(say))].join(' and '))
  return `no issue has ${[...new Set(said)].join(', or ')}`
}

/** What the rule can never match or do. */
export function unreachableIn(rule: Rule, index: number): LintFinding[] {
  const conditions = whenItActs(rule)
  const never = contradictions(conditions)
  if (never !== undefined)
    return [{ path: ['rules', index, 'if'], message: `never matches: ${sayContradictions(never)} exclude each other` }]
  const ofIssues = issueConditions(rule)
  const noIssue = ofIssues.length === 0 ? undefined : contradictions([...conditions, ...ofIssues])
  if (noIssue !== undefined)
    return [{ path: ['rules', index, 'if'], message: `never matches: ${sayOfNoIssue(noIssue)}` }]
  // An event's request may be done later, when the action's own conditions are true.
  if (rule.on !== undefined) return []
  return rule.actions.flatMap(({ action: name, args }): LintFinding[] => {
    const own = contradictions([...conditions, ...(actionNamed(name)?.requires?.(args) ?? [])])
    if (own === undefined) return []
    const message = `is never done: ${sayContradictions(own)} exclude each other`
    return [{ path: ['rules', index, 'then', name], message }]
  })
}
