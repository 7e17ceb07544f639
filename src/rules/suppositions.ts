// Several suppositions at once, as `--suppose` and the dashboard take them: facts, the time, and at most one event.
import { commandsIn } from './comment-commands.ts'
import { readSupposed, type SupposedEvent } from './suppose-text.ts'
import type { Supposition } from './types.ts'

export interface Suppositions {
  facts: Supposition[]
  /** ISO 8601. */
  now?: string
  events: SupposedEvent[]
}

/** Reads every line; a problem is a sentence for people, and names its line. */
export function readSuppositions(texts: readonly string[]): { ok: true; suppositions: Suppositions } | { ok: false; problems: string[] } {
  const problems: string[] = []
  const read: Suppositions = { facts: [], events: [] }
  for (const text of texts) {
    const supposed = readSupposed(text)
    if ('problem' in supposed) problems.push(`${JSON.stringify(text)}: ${supposed.problem}`)
    else if ('now' in supposed) read.now = supposed.now
    else if ('event' in supposed) read.events.push(supposed.event)
    else read.facts.push(supposed.supposition)
  }
  if (read.events.length > 1) problems.push('expected at most one event')
  return problems.length > 0 ? { ok: false, problems } : { ok: true, suppositions: read }
}

/** What a supposed comment makes known: its text, and the commands in it for the bot of that name. */
export function supposedComment(text: string, bot: string): Supposition[] {
  return [known('comment', text), known('command', commandsIn(text, bot))]
}

const known = (fact: string, value: string | string[]): Supposition => ({
  fact,
  is: { is: 'known', value, complete: true, note: 'supposed' },
})
