// Rules that can never hold, and actions that are never done because of what they ask for themselves.
import type { Action } from '../actions/definition/action.ts'
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import type { Condition, Json, Rule } from '../language/values/rule-types.ts'
import type { Path } from '../language/values/shapes.ts'
import type { Literal } from './literals.ts'
import { contradictions } from './possible.ts'

/** Something that is allowed, and probably not meant: where, and a sentence for people. */
export interface LintFinding {
  path: Path
  /** Where in the text: the key unless it says otherwise. */
  at?: 'value'
  message: string
}

/** The event is among those that the rule waits for. */
function ofEvents({ on }: Rule): Condition[] {
  const kinds = on?.map(({ kind }) => kind) ?? []
  return kinds.length === 0
    ? []
    : [
        {
          any: kinds.map((kind) => ({
            fact: 'event',
            operator: kind.endsWith('*') ? 'glob' : 'one_of',
            expected: [kind],
          })),
        },
      ]
}

/** Everything that must hold when the rule acts. */
export const whenItActs = (rule: Rule): Condition[] => [rule.if, ...ofEvents(rule)]

function say({ fact, operator, expected, holds }: Literal): string {
  const type = factNamed(fact)?.type
  const words = type === undefined ? JSON.stringify(expected) : operatorNamed(operator)?.say(expected, type)
  return `${fact} ${holds ? '' : 'not '}${words}`
}

/** Why the alternatives are all impossible: the one reason, or the facts. */
function sayContradictions(all: readonly Literal[][]): string {
  const said = [...new Set(all.map((literals) => [...new Set(literals.map(say))].join(' and ')))]
  const [only] = said
  if (said.length === 1 && only !== undefined) return only
  return `what is asked of ${[...new Set(all.flat().map(({ fact }) => fact))].join(', ')}`
}

function ownConditions(action: Action | undefined, args: Json): Condition[] {
  return action?.requires?.(args) ?? []
}

/** What the rule can never do. */
export function unreachableIn(rule: Rule, index: number): LintFinding[] {
  const conditions = whenItActs(rule)
  const never = contradictions(conditions)
  if (never !== undefined)
    return [{ path: ['rules', index, 'if'], message: `never holds: ${sayContradictions(never)} exclude each other` }]
  // What an event asks for may be done later, when its own conditions hold.
  if (rule.on !== undefined) return []
  return rule.actions.flatMap(({ action: name, args }): LintFinding[] => {
    const own = contradictions([...conditions, ...ownConditions(actionNamed(name), args)])
    return own === undefined
      ? []
      : [
          {
            path: ['rules', index, 'then', name],
            message: `is never done: ${sayContradictions(own)} exclude each other`,
          },
        ]
  })
}
