// Answers a member's command that no rule has, once for each note: `@bellhop merge`.
import { ruleSet } from '../engine/conditions/rules-in-force.ts'
import { GUEST } from '../facts/definition/access.ts'
import { NOT_SHOWN } from '../facts/definition/fact.ts'
import { sources } from '../facts/definition/sources.ts'
import { subjectOf } from '../facts/definition/subject-ref.ts'
import { command as commandFact } from '../facts/event.ts'
import { createView } from '../facts/reading/fact-view.ts'
import { leavesOf } from '../language/conditions.ts'
import { levelNumber } from '../language/operators/fact-types.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import type { DecideInput, Decision, Occurrence } from '../types.ts'
import { BUILT_IN, heardCommands, noteCall, traceOf, WHY, type WhyAnswer } from './why.ts'

/** The name of the answer to a note: each note has its own. */
const nameOf = ({ id, event }: Occurrence) => `${BUILT_IN}#unknown command of ${event.note?.id ?? id}`

/** Whether a rule's condition on the command is true for this word, so that the rule is about it. */
function hasRuleFor(word: string, { files, policy, mergeRequest }: DecideInput): boolean {
  const actual = { value: [word], complete: true, type: commandFact.type }
  return ruleSet(files, policy).of[subjectOf(mergeRequest)].some(({ rule }) =>
    leavesOf(rule.if).some(
      ({ fact, operator, expected }) =>
        fact === 'command' && operatorNamed(operator)?.test(expected, actual.type)(actual) === 'true',
    ),
  )
}

/** Answers commands that no rule has, unless some rule matches the note. */
export function answerUnknownCommand(input: DecideInput, { rules, paused }: Decision): WhyAnswer {
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
  const listed = Object.hasOwn(input.answers, sources.notes.name) ? input.answers[sources.notes.name] : undefined
  if (listed === undefined) return { needs: [sources.notes.name] }
  const answers = ofMembers.map(({ occurrence, unknown }) => {
    const name = nameOf(occurrence)
    // The answer is public, but an internal note is not.
    const view = createView(input, occurrence.event)
    const isPublic = view.publicFact('command').is === 'known'
    const words = isPublic ? unknown.map((word) => `\`${word}\``).join(' or ') : 'that command'
    const text = `No rule here answers to ${words}. A note with the command \`why\` shows what the rules decide.`
    const given = { text, rules: [`${name}@${occurrence.id}`] }
    const call = noteCall(input, listed.ok ? listed.body : undefined, name, given)
    const quoted = unknown.map((word) => JSON.stringify(word)).join(', ')
    const command = { expected: 'one that no rule has', actual: view.hides('command') ? NOT_SHOWN : quoted }
    return {
      call,
      trace: traceOf(occurrence, { key: name, call: call !== undefined, name: 'unknown command', command }),
    }
  })
  return { calls: answers.flatMap(({ call }) => call ?? []), rules: answers.map(({ trace }) => trace) }
}
