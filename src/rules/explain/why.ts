// Answers to notes of people: which commands they hold, the one note of Bellhop's own that answers, and what `why` says.

import { callOn, findBotNote, targetOf, withMark } from '../actions/definition/action-calls.ts'
import { isOwn } from '../facts/definition/access.ts'
import { groupAnswer } from '../facts/definition/group-members.ts'
import { sources } from '../facts/definition/sources.ts'
import { subjectOf } from '../facts/definition/subject-ref.ts'
import { createView } from '../facts/reading/fact-view.ts'
import { WHY } from '../language/commands/comment-commands.ts'
import { harmless } from '../language/templates.ts'
import { count, cut } from '../language/values/wording.ts'
import type { Call, DecideInput, Decision, Occurrence, RuleTrace, SourceName, Trace } from '../types.ts'
import { firstBlocker, sayLimits, words } from './explain.ts'
import { groupsIn, publicRule, readableFiles } from './public-text.ts'
import { byWeight, sayVerdict } from './verdict.ts'

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

const NAME = `${BUILT_IN}#${WHY}`
const MOST_RULES = 50

/** Answers new notes of people who may ask, with one note for all. */
export function answerWhy(input: DecideInput, decision: Decision): Answer {
  const heard = heardCommands(input)
  if ('needs' in heard) return heard
  const asked = heard
    .filter(({ words, occurrence }) => words.includes(WHY) && !isAnswered(input, occurrence, NAME))
    .map(({ occurrence }) => occurrence)
  if (asked.length === 0) return noAnswer
  // Only public groups are shown.
  const needs = [sources.notes.name, ...groupsIn(input.answers).map(groupAnswer)]
  const unread = needs.filter((name) => !Object.hasOwn(input.answers, name))
  if (unread.length > 0) return { needs: unread }
  const command = { expected: WHY, actual: WHY }
  return answerNotes(input, asked, { key: NAME, name: WHY, text: sayWhy(decision, input), command })
}

/** `.bellhop.yml`, and the number of other files: their names may be private. */
function sayFiles({ files }: Decision, input: DecideInput): string {
  const readable = readableFiles(input)
  const others = files.filter(({ path }) => !readable.includes(path)).length
  const more = others === 0 ? [] : [`${count(others, 'rule file')} of the operator or of other projects`]
  return [...readable.map((path) => `\`${path}\``), ...more].join(', ') || 'no rule file'
}

/** The verdict, then a line for each rule that merges or approves: its outcome, or what blocks it. Others are folded. */
function sayWhy(decision: Decision, input: DecideInput): string {
  const { head, paused, offIgnored, uncertain = [] } = decision
  const rules = decision.rules.map((rule) => publicRule(rule, input))
  const evaluated = `Evaluated at ${head === null ? 'no commit' : head.slice(0, 8)} by ${sayFiles(decision, input)}.`
  const linesOf = (some: readonly RuleTrace[]) => [
    ...some.slice(0, MOST_RULES).map((rule) => `- ${sayRule(rule)}`),
    ...(some.length > MOST_RULES ? [`- and ${some.length - MOST_RULES} more`] : []),
  ]
  const { merge, approve, other } = byWeight(rules)
  const folded =
    other.length === 0
      ? []
      : [
          '',
          `<details><summary>${count(other.length, 'other rule')}</summary>`,
          '',
          ...linesOf(other),
          '',
          '</details>',
        ]
  const readable = readableFiles(input)
  const files = decision.files.map((file) => (readable.includes(file.path) ? file : { ...file, path: 'a rule file' }))
  const hasVerdict = subjectOf(input.mergeRequest) === 'merge_request'
  const hidden = rules.some(({ file }) => file === '')
  const verdict = hasVerdict ? sayVerdict({ ...decision, rules, files }, { hidden }) : paused && `Paused: ${paused}.`
  // The verdict says that a file is broken.
  const limits = sayLimits({ files: hasVerdict ? [] : files, rules: decision.rules })
  const limited = limits.flatMap((each) => [`**Note:** ${harmless(each)}.`, ''])
  const ignored = offIgnored === undefined ? [] : [`**Note:** ${harmless(offIgnored)}.`, '']
  const unsure = uncertain.map(
    (each) => `**Not certain:** ${harmless(cut(each, 300))}. A person must check whether it was done.`,
  )
  return [
    ...(verdict === undefined ? [] : [`**${harmless(cut(verdict, 600))}**`, '']),
    ...limited,
    ...ignored,
    evaluated,
    '',
    ...(rules.length === 0 ? ['No rules are in force.'] : linesOf([...merge, ...approve])),
    ...folded,
    ...(unsure.length === 0 ? [] : ['', ...unsure]),
  ].join('\n')
}

function sayRule(rule: RuleTrace): string {
  const place = rule.file === '' ? '' : ` (${harmless(rule.file)}:${rule.line})`
  const name = `**${harmless(cut(rule.name, 100))}**${place}`
  const blocker = firstBlocker(rule)
  if (blocker !== undefined) {
    const help = blocker.toFix === undefined ? '' : ` To fix: ${harmless(cut(blocker.toFix, 300))}.`
    const found = `${blocker.condition} must be ${blocker.expected}, it is ${blocker.actual}`
    return `${rule.verdict === 'unknown' ? 'is unknown' : 'does not act'}: ${name}: ${harmless(cut(found, 600))}.${help}`
  }
  const done = rule.actions.map(
    ({ action, result, detail }) => `${action}: ${result === 'call' ? detail : `${words(result)}, ${detail}`}`,
  )
  return `matches: ${name}: ${harmless(cut(done.join('; '), 600))}.`
}
