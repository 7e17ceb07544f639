// Answers to notes: `@bellhop why` with the decision, even if Bellhop is turned off, and a command that no rule has.
import { callOn, targetOf } from '../actions/definition/action-calls.ts'
import { findBotNote, withMark } from '../actions/definition/bot-note.ts'
import { ruleSet } from '../engine/conditions/rules-in-force.ts'
import { GUEST, isOwn } from '../facts/definition/access.ts'
import { NOT_SHOWN } from '../facts/definition/fact.ts'
import { groupAnswer } from '../facts/definition/group-members.ts'
import { sources } from '../facts/definition/sources.ts'
import { subjectOf } from '../facts/definition/subject-ref.ts'
import { command as commandFact } from '../facts/event.ts'
import { createView } from '../facts/reading/fact-view.ts'
import { leavesOf } from '../language/conditions.ts'
import { levelNumber } from '../language/operators/fact-types.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import { harmless } from '../language/templates.ts'
import { count, cut } from '../language/values/wording.ts'
import type { Call, DecideInput, Decision, Occurrence, RuleTrace, SourceName, Trace } from '../types.ts'
import { firstBlocker, sayLimits, words } from './explain.ts'
import { groupsIn, publicRule, readableFiles } from './public-text.ts'
import { byWeight, sayVerdict } from './verdict.ts'

export const WHY = 'why'
/** Stands for the rule file of the answers that Bellhop gives itself. */
export const BUILT_IN = '(built in)'
const NAME = `${BUILT_IN}#${WHY}`
const MOST_RULES = 50

/** The note that answers, or the sources to read first. */
type Answer = { needs: SourceName[] } | { calls: Call[]; rules: RuleTrace[] }

/** Answers new notes of people who may ask, with one note for all. */
export function answerWhy(input: DecideInput, decision: Decision): Answer {
  const heard = heardCommands(input, () => NAME)
  if ('needs' in heard) return heard
  const asked = heard.filter(({ words }) => words.includes(WHY)).map(({ occurrence }) => occurrence)
  if (asked.length === 0) return { calls: [], rules: [] }
  // Only public groups are shown.
  const needs = [sources.notes.name, ...groupsIn(input.answers).map(groupAnswer)]
  const unread = needs.filter((name) => !Object.hasOwn(input.answers, name))
  if (unread.length > 0) return { needs: unread }
  const command = { expected: WHY, actual: WHY }
  return answerNotes(input, asked, { key: NAME, name: WHY, text: sayWhy(decision, input), command })
}

/** The commands of new notes that `nameOf` names no answer for yet, or the sources to read first. */
function heardCommands(
  input: DecideInput,
  nameOf: (occurrence: Occurrence) => string,
): { needs: SourceName[] } | { occurrence: Occurrence; words: string[] }[] {
  const isAnswered = (each: Occurrence) => input.memory.events?.[each.id]?.[nameOf(each)] !== undefined
  const heard = input.events
    .filter((each) => each.event.kind === 'note.create' && !isOwn(each.event, input.bot) && !isAnswered(each))
    .map((occurrence) => ({ occurrence, command: createView(input, occurrence.event).fact('command') }))
  const needs = heard.flatMap(({ command }) => (command.is === 'unread' ? [command.source] : []))
  if (needs.length > 0) return { needs }
  return heard.map(({ occurrence, command }) => ({
    occurrence,
    words: command.is === 'known' && Array.isArray(command.value) ? command.value.map(String) : [],
  }))
}

/** Writes the note with the mark of `key`, or updates it; and a trace for each note that it answers. */
function answerNotes(
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

/** `.bellhop.yml`, and the number of other files: their names may be private. */
function sayFiles({ files }: Decision, input: DecideInput): string {
  const readable = readableFiles(input)
  const others = files.filter(({ path }) => !readable.includes(path)).length
  const more = others === 0 ? [] : [`${count(others, 'rule file')} of the operator or of other projects`]
  return [...readable.map((path) => `\`${path}\``), ...more].join(', ') || 'no rule file'
}

/** The verdict, then a line for each rule that merges or approves: its outcome, or what blocks it. Others are folded. */
function sayWhy(decision: Decision, input: DecideInput): string {
  const { head, offIgnored, uncertain = [] } = decision
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
  const limited = sayLimits({ files: [], rules: decision.rules }).flatMap((each) => [
    `**Note:** ${harmless(each)}.`,
    '',
  ])
  const hidden = rules.some(({ file }) => file === '')
  const verdict = sayVerdict({ ...decision, rules, files }, { hidden })
  const ignored = offIgnored === undefined ? [] : [`**Note:** ${harmless(offIgnored)}.`, '']
  const unsure = uncertain.map(
    (each) => `**Not certain:** ${harmless(cut(each, 300))}. A person must check whether it was done.`,
  )
  return [
    ...(subjectOf(input.mergeRequest) === 'merge_request' ? [`**${harmless(cut(verdict, 600))}**`, ''] : []),
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

/** The name of the answer to a note: each note has its own. */
const nameOf = ({ id, event }: Occurrence) => `${BUILT_IN}#unknown command of ${event.note?.id ?? id}`

/** Whether a rule's condition on the command is true for this word, so that the rule is about it. */
function hasRuleFor(word: string, { files, policy, mergeRequest }: DecideInput): boolean {
  return ruleSet(files, policy).of[subjectOf(mergeRequest)].some(({ rule }) =>
    leavesOf(rule.if).some(
      ({ fact, operator, expected }) =>
        fact === 'command' &&
        operatorNamed(operator)?.test(expected, commandFact.type)({ value: [word], complete: true }) === 'true',
    ),
  )
}

/** Answers commands that no rule has, unless some rule matches the note. */
export function answerUnknownCommand(input: DecideInput, { rules, paused }: Decision): Answer {
  const none = { calls: [], rules: [] }
  if (paused !== undefined) return none
  const heard = heardCommands(input, nameOf)
  if ('needs' in heard) return heard
  const asked = heard.flatMap(({ occurrence, words }) => {
    const isTaken =
      words.includes(WHY) || rules.some(({ event, verdict }) => event?.id === occurrence.id && verdict === 'true')
    const unknown = isTaken ? [] : words.filter((word) => !hasRuleFor(word, input))
    return unknown.length === 0 ? [] : [{ occurrence, unknown }]
  })
  if (asked.length === 0) return none
  const access = asked.map(({ occurrence }) => createView(input, occurrence.event).fact('actor_access'))
  const needs = access.flatMap((each) => (each.is === 'unread' ? [each.source] : []))
  if (needs.length > 0) return { needs }
  const ofMembers = asked.filter((_, index) => {
    const each = access[index]
    return each?.is === 'known' && Number(levelNumber(String(each.value))) >= GUEST
  })
  if (ofMembers.length === 0) return none
  if (!Object.hasOwn(input.answers, sources.notes.name)) return { needs: [sources.notes.name] }
  const answers = ofMembers.map(({ occurrence, unknown }) => {
    // The answer is public, but an internal note is not.
    const view = createView(input, occurrence.event)
    const isPublic = view.publicFact('command').is === 'known'
    const words = isPublic ? unknown.map((word) => `\`${word}\``).join(' or ') : 'that command'
    const text = `No rule here answers to ${words}. A note with the command \`why\` shows what the rules decide.`
    const quoted = unknown.map((word) => JSON.stringify(word)).join(', ')
    const command = { expected: 'one that no rule has', actual: view.hides('command') ? NOT_SHOWN : quoted }
    return answerNotes(input, [occurrence], { key: nameOf(occurrence), name: 'unknown command', text, command })
  })
  return { calls: answers.flatMap(({ calls }) => calls), rules: answers.flatMap((each) => each.rules) }
}
