// Several overrides together, for `--what-if` and the dashboard: facts, the time, and at most one event.
import { commandsIn } from '../language/commands/comment-commands.ts'
import type { Override } from '../types.ts'
import { type OverrideEvent, readOverride } from './override-text.ts'

export interface Overrides {
  facts: Override[]
  /** ISO 8601. */
  now?: string
  events: OverrideEvent[]
}

/** Reads every line; a problem is a sentence for people, and names its line. */
export function readOverrides(
  texts: readonly string[],
): { ok: true; overrides: Overrides } | { ok: false; problems: string[] } {
  const problems: string[] = []
  const read: Overrides = { facts: [], events: [] }
  for (const text of texts) {
    const line = readOverride(text)
    if ('problem' in line) problems.push(`${JSON.stringify(text)}: ${line.problem}`)
    else if ('now' in line) read.now = line.now
    else if ('event' in line) read.events.push(line.event)
    else read.facts.push(line.override)
  }
  if (read.events.length > 1) problems.push('expected at most one event')
  return problems.length > 0 ? { ok: false, problems } : { ok: true, overrides: read }
}

/** The facts of an overridden comment: its text, and its commands for the bot of that name. */
export function commentOverrides(text: string, bot: string): Override[] {
  return [known('comment', text), known('command', commandsIn(text, bot))]
}

const known = (fact: string, value: string | string[]): Override => ({
  fact,
  is: { is: 'known', value, complete: true, remark: 'overridden' },
})
