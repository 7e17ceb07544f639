// Answers to notes of people: which commands they hold, and the one note of Bellhop's own that answers.
import { callOn, targetOf } from '../actions/definition/action-calls.ts'
import { findBotNote, withMark } from '../actions/definition/bot-note.ts'
import { isOwn } from '../facts/definition/access.ts'
import { sources } from '../facts/definition/sources.ts'
import { createView } from '../facts/reading/fact-view.ts'
import type { Call, DecideInput, Occurrence, RuleTrace, SourceName, Trace } from '../types.ts'

/** Stands for the rule file of the answers that Bellhop gives itself. */
export const BUILT_IN = '(built in)'

/** The notes that answer, or the sources to read first. */
export type Answer = { needs: SourceName[] } | { calls: Call[]; rules: RuleTrace[] }
export const noAnswer: Answer = { calls: [], rules: [] }

export interface Heard {
  occurrence: Occurrence
  words: string[]
}

/** The commands of new notes, or the sources to read first. */
export function heardCommands(input: DecideInput): { needs: SourceName[] } | Heard[] {
  const heard = input.events
    .filter(({ event }) => event.kind === 'note.create' && !isOwn(event, input.bot))
    .map((occurrence) => ({ occurrence, command: createView(input, occurrence.event).fact('command') }))
  const needs = heard.flatMap(({ command }) => (command.is === 'unread' ? [command.source] : []))
  if (needs.length > 0) return { needs }
  return heard.map(({ occurrence, command }) => ({
    occurrence,
    words: command.is === 'known' && Array.isArray(command.value) ? command.value.map(String) : [],
  }))
}

/** Whether memory has the answer of this name to the note. */
export const isAnswered = ({ memory }: DecideInput, { id }: Occurrence, name: string): boolean =>
  memory.events?.[id]?.[name] !== undefined

/** Writes the note with the mark of `key`, or updates it; and a trace for each note that it answers. */
export function answerNotes(
  { answers, mergeRequest, bot }: DecideInput,
  asked: readonly Occurrence[],
  given: { key: string; name: string; text: string; command: Pick<Trace, 'expected' | 'actual'> },
): { calls: Call[]; rules: RuleTrace[] } {
  const { key, name, text, command } = given
  const listed = answers[sources.notes.name]
  const note = findBotNote(listed?.ok === true ? listed.body : undefined, key, bot)
  const body = withMark(text, key) ?? ''
  const isDue = note?.body !== body
  const target = targetOf(mergeRequest)
  const call =
    note === undefined
      ? { ...callOn(target, 'notes.create', { body }), before: key }
      : callOn(target, 'notes.update', { note_id: note.id, body })
  const rules = asked.map(
    (event): RuleTrace => ({
      key: `${key}@${event.id}`,
      name,
      file: BUILT_IN,
      line: 1,
      fingerprint: name,
      event,
      verdict: 'true',
      became: true,
      conditions: { condition: 'command', verdict: 'true', ...command },
      actions: [
        isDue
          ? { action: 'comment', result: 'call', detail: 'answer it' }
          : { action: 'comment', result: 'nothing_to_do', detail: 'the answer is up to date' },
      ],
    }),
  )
  const made: Call = { to: 'service', ...call, action: 'comment', rules: rules.map((rule) => rule.key) }
  return { calls: isDue ? [made] : [], rules }
}
