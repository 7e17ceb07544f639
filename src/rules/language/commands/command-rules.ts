// Reads `command:` of a rule, and adds its conditions to the rule.
import type { Condition } from '../values/rule-types.ts'
import { type Issue, type Path, refuse, type ShapeSchema } from '../values/shapes.ts'

const COMMAND = /^[a-z][a-z0-9_-]{0,39}$/

export const commandSchema: ShapeSchema = { type: 'string', pattern: COMMAND.source, not: { const: 'why' } }

/** `merge`, `release-notes` */
export function readCommand(value: unknown, path: Path, issues: Issue[]): string | undefined {
  if (typeof value === 'string' && COMMAND.test(value) && value !== 'why') return value
  const found = value === 'why' ? 'the command that Bellhop answers itself' : undefined
  return refuse(issues, { path, expected: 'a word of small letters, digits, - and _', found })
}

/** The conditions for the command, and for who may use it. */
export function commandConditions(word: string, { needsMaintainer }: { needsMaintainer: boolean }): Condition[] {
  return [
    { fact: 'command', operator: 'any', expected: [word] },
    { fact: 'actor_access', operator: 'at_least', expected: needsMaintainer ? 'maintainer' : 'developer' },
  ]
}
