// `command:` of a rule: its word, and the conditions that it adds to the rule.
import type { Condition } from '../values/rule-types.ts'
import { type Issue, type Path, refuse, type ShapeSchema } from '../values/shapes.ts'

const COMMAND = /^[a-z][a-z0-9_-]{0,39}$/

/** What `command:` takes. */
export const commandSchema: ShapeSchema = { type: 'string', pattern: COMMAND.source, not: { const: 'why' } }

/** A command's word, as it is written in a rule: `merge`, `release-notes`. */
export function readCommand(value: unknown, path: Path, issues: Issue[]): string | undefined {
  if (typeof value === 'string' && COMMAND.test(value) && value !== 'why') return value
  const found = value === 'why' ? { found: 'the command that Bellhop answers itself' } : {}
  return refuse(issues, { path, expected: 'a word of small letters, digits, - and _', ...found })
}

/** The condition that a command adds to the rule's `if`: the word, by someone who may use it (DESIGN §4, Commands). */
export function commandConditions(word: string, mayMerge: boolean): Condition[] {
  return [
    { fact: 'command', operator: 'any', expected: [word] },
    { fact: 'actor_access', operator: 'at_least', expected: mayMerge ? 'maintainer' : 'developer' },
  ]
}
