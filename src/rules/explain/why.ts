import { groupAnswer } from '../facts/definition/group-members.ts'
import { sources } from '../facts/definition/sources.ts'
import { subjectOf } from '../facts/definition/subject-ref.ts'
import { WHY } from '../language/commands/comment-commands.ts'
import { harmless } from '../language/templates.ts'
import { count, cut } from '../language/values/wording.ts'
import type { DecideInput, Decision, RuleTrace } from '../types.ts'
import { firstBlocker, sayLimits, words } from './explain.ts'
import { type Answer, answerNotes, BUILT_IN, heardCommands, isAnswered, noAnswer } from './note-answers.ts'
import { groupsIn, publicRule, readableFiles } from './public-text.ts'
import { byWeight, sayVerdict } from './verdict.ts'

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
