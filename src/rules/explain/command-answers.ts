// Answers to commands: what became of them, or why nothing did, and to `@bellhop help` the commands that rules have.
import { isStanding } from '../actions/definition/action.ts'
import { actionNamed } from '../actions/index.ts'
import { type RuleInForce, ruleSet } from '../engine/conditions/rules-in-force.ts'
import { ruleName } from '../engine/memory/standing-requests.ts'
import { GUEST } from '../facts/definition/access.ts'
import { NOT_SHOWN } from '../facts/definition/fact.ts'
import { sources } from '../facts/definition/sources.ts'
import { subjectOf } from '../facts/definition/subject-ref.ts'
import { command as commandFact } from '../facts/event.ts'
import { createView } from '../facts/reading/fact-view.ts'
import { FREEZE, HELP, isCommandWord, WHY } from '../language/commands/comment-commands.ts'
import { leavesOf } from '../language/conditions.ts'
import { levelNumber } from '../language/operators/fact-types.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import { harmless } from '../language/templates.ts'
import { fingerprint } from '../language/values/fingerprint.ts'
import { type Freeze, freezeEnd, readFreeze, sayFreeze } from '../language/values/freezes.ts'
import { sayMoment } from '../language/values/time-windows.ts'
import { count, cut } from '../language/values/wording.ts'
import type { ActionTrace, DecideInput, Decision, Occurrence, OwnCall, RuleTrace, SourceName, Trace } from '../types.ts'
import { conditionsToChange, leaves } from './explain.ts'
import { publicRule, readableFiles } from './public-text.ts'
import { joined, reasonsIn } from './verdict.ts'
import { type Answer, answerNotes, BUILT_IN, type Heard, heardCommands, isAnswered, noAnswer } from './why.ts'

const MOST_LISTED = 50
const LONGEST_REASON = 600

/** `isAnswered`: before its actions were done. The answer is edited if one of them did not succeed. */
type Asked = Heard & { isAnswered: boolean }

/** The commands of one note have one answer: the same ones again edit it. */
const nameOf = ({ words }: Heard) => `${BUILT_IN}#command ${fingerprint(words.toSorted())}`

/** Answers commands of members. A rule's own note, and that of a merge queue, is an answer already. */
export function answerCommands(input: DecideInput, decision: Decision): Answer {
  const heard = heardCommands(input)
  if ('needs' in heard) return heard
  const asked = heard.flatMap(({ occurrence, words: all }): Asked[] => {
    const own = { occurrence, words: all.filter((word) => word !== WHY) }
    return own.words.length === 0 ? [] : [{ ...own, isAnswered: isAnswered(input, occurrence, nameOf(own)) }]
  })
  const access = asked.map(({ occurrence }) => createView(input, occurrence.event).fact('actor_access'))
  const needs = access.flatMap((each) => (each.is === 'unread' ? [each.source] : []))
  if (needs.length > 0) return { needs }
  const ofMembers = asked.filter((_, index) => {
    const level = access[index]
    return level?.is === 'known' && Number(levelNumber(String(level.value))) >= GUEST
  })
  const untold = ofMembers.flatMap((each) => unreadFor(each, input, decision))
  if (untold.length > 0) return { needs: untold }
  const answered = ofMembers.flatMap((each) => {
    const text = sayCommands(each, input, decision)
    return text === undefined ? [] : [{ ...each, text }]
  })
  if (answered.length === 0) return noAnswer
  if (!Object.hasOwn(input.answers, sources.notes.name)) return { needs: [sources.notes.name] }
  const answers = answered.map(({ text, ...each }) => {
    const view = createView(input, each.occurrence.event)
    const said = each.words.map((word) => JSON.stringify(word)).join(', ')
    const command = { expected: 'one that is answered', actual: view.hides('command') ? NOT_SHOWN : said }
    const answer = answerNotes(input, [each.occurrence], { key: nameOf(each), name: 'command', text, command })
    const freeze = each.words.includes(FREEZE) ? freezeCommand(input, each.occurrence).call : undefined
    const first = freeze && { ...freeze, action: 'comment', rules: answer.rules.map(({ key }) => key) }
    return first === undefined ? answer : { ...answer, calls: [first, ...answer.calls] }
  })
  return { calls: answers.flatMap(({ calls }) => calls), rules: answers.flatMap((each) => each.rules) }
}

/** The sources that no verdict needed, but that tell all that the rules of these commands lack. */
function unreadFor({ occurrence, words }: Asked, input: DecideInput, { rules }: Decision): SourceName[] {
  const view = createView(input, occurrence.event)
  const names = words.flatMap((word) => rulesFor(word, input)).map(({ name }) => name)
  return rules
    .filter((rule) => rule.event?.id === occurrence.id && names.includes(ruleName(rule)))
    .flatMap(({ verdict, conditions, actions }) =>
      verdict === 'true' ? actions.flatMap((action) => action.conditions ?? []) : [conditions],
    )
    .flatMap(leaves)
    .flatMap(({ condition, verdict }) => {
      const value = verdict === 'unknown' ? view.fact(condition) : undefined
      return value?.is === 'unread' ? [value.source] : []
    })
}

/** A line for each command that needs one. The answer is public, but an internal note is not. */
function sayCommands(asked: Asked, input: DecideInput, { rules }: Decision): string | undefined {
  const { occurrence, words } = asked
  const isPublic = createView(input, occurrence.event).publicFact('command').is === 'known'
  // A rule that only observes says nothing.
  const own = rules.filter(({ event, mode }) => event?.id === occurrence.id && mode === undefined)
  if (asked.isAnswered && !own.some(({ verdict, actions }) => verdict === 'true' && actions.some(isHeld)))
    return undefined
  const lines = words.flatMap((word) => {
    if (word === HELP) return [sayHelp(input)]
    if (word === FREEZE) return [`\`${FREEZE}\`: ${freezeCommand(input, occurrence).said}.`]
    const named = isPublic ? `\`${word}\`` : 'that command'
    const having = rulesFor(word, input)
    // A rule without `command:` may answer to any note.
    if (having.length === 0)
      return own.some(({ verdict }) => verdict === 'true')
        ? []
        : [`No rule here answers to ${named}. A note with the command \`${HELP}\` lists the commands.`]
    const those = own.filter((rule) => having.some(({ name }) => name === ruleName(rule)))
    const said = sayOutcome(those, input, { ...asked, isPublic })
    return said === undefined ? [] : [`${named}: ${said}`]
  })
  return lines.length === 0 ? undefined : lines.slice(0, MOST_LISTED).join('\n\n')
}

const isHeld = ({ result }: ActionTrace) => result === 'blocked' || result === 'waits'

/** The rules whose condition on the command is true for this word. */
function rulesFor(word: string, { files, policy, mergeRequest }: DecideInput): RuleInForce[] {
  return ruleSet(files, policy).of[subjectOf(mergeRequest)].filter(({ rule }) =>
    leavesOf(rule.if).some(
      ({ fact, operator, expected }) =>
        fact === 'command' &&
        operatorNamed(operator)?.test(expected, commandFact.type)({ value: [word], complete: true }) === 'true',
    ),
  )
}

/** What became of a command; undefined if another note says so. */
function sayOutcome(
  rules: readonly RuleTrace[],
  input: DecideInput,
  { isAnswered, isPublic }: Pick<Asked, 'isAnswered'> & { isPublic: boolean },
): string | undefined {
  const said = (text: string) => harmless(cut(text, LONGEST_REASON))
  const matched = rules.filter(({ verdict }) => verdict === 'true')
  if (matched.length === 0) {
    const [nearest] = rules.toSorted((a, b) => conditionsToChange(a.conditions) - conditionsToChange(b.conditions))
    const usage = nearest && isPublic ? usageFor(nearest, input) : undefined
    return nearest && `not done: ${said(sayUnmatched(publicRule(nearest, input).conditions, usage))}.`
  }
  const actions = matched.flatMap((rule) =>
    publicRule(rule, input).actions.map((shown, at) => ({ shown, is: rule.actions[at] })),
  )
  if (actions.some(({ is }) => is?.queue !== undefined || (is?.action === 'comment' && is.result !== 'blocked')))
    return undefined
  return actions
    .map(({ shown, is }) => {
      const { action, result, detail, conditions } = shown
      if (result === 'call') return `${said(detail)}.`
      if (is?.limitedUntil !== undefined)
        return `${action} is held by the new-rule limit until ${sayMoment(Date.parse(is.limitedUntil))}.`
      if (result === 'done_before' || (isAnswered && result === 'nothing_to_do')) return 'done.'
      if (!isHeld(shown)) return `nothing to do: ${said(detail)}.`
      const reasons = conditions === undefined ? [] : reasonsIn(conditions)
      const later = isStanding(actionNamed(action)) ? ' It is done once that changes, unless somebody pushes.' : ''
      return `not done: ${said(reasons.length === 0 ? detail : joined(reasons))}.${later}`
    })
    .join(' ')
}

/** How to write the command of the rule, if readers of the repository may read that. */
function usageFor(rule: RuleTrace, input: DecideInput): string | undefined {
  if (!readableFiles(input).includes(rule.file)) return undefined
  return ruleSet(input.files, input.policy).rules.find(({ name }) => name === ruleName(rule))?.rule.usage
}

function sayUnmatched(conditions: Trace, usage: string | undefined): string {
  const failed = (name: string) =>
    leaves(conditions).find(({ condition, verdict }) => condition === name && verdict === 'false')
  const role = failed('actor_access')
  const [, needed] = /^at least "(\w+)"$/.exec(role?.expected ?? '') ?? []
  if (role === undefined || needed === undefined)
    return usage !== undefined && failed('command_line') ? `usage: ${usage}` : joined(reasonsIn(conditions))
  return `only a ${needed} or above may, and you are ${role.actual.replaceAll('"', '')}`
}

/** The commands of the repository's own rules, with who may use them, and Bellhop's own. */
function sayHelp(input: DecideInput): string {
  const readable = readableFiles(input)
  const rules = ruleSet(input.files, input.policy).of[subjectOf(input.mergeRequest)].filter(
    ({ mode }) => mode === 'act',
  )
  const lines = rules
    .filter(({ file }) => readable.includes(file.path))
    .flatMap(({ rule }) => {
      const parts = leavesOf(rule.if)
      const words = parts.flatMap(({ fact, expected }) => (fact === 'command' ? [expected].flat() : []))
      const written = (word: string) => (rule.usage?.startsWith(`${word} `) ? rule.usage : word)
      const who = parts.find(({ fact, operator }) => fact === 'actor_access' && operator === 'at_least')
      const may = who === undefined ? '' : ` (${String(who.expected)} or above)`
      const does = rule.actions.map(({ action }) => action).join(', ')
      return words
        .filter(isCommandWord)
        .map((word) => `- \`@${input.bot.username} ${written(word)}\`${may}: ${does}, by **${harmless(rule.name)}**`)
    })
  const hidden = rules.length > 0 && rules.some(({ file }) => !readable.includes(file.path))
  return [
    'Commands, each at the start of a line:',
    '',
    ...lines.slice(0, MOST_LISTED),
    ...(lines.length > MOST_LISTED ? [`- and ${count(lines.length - MOST_LISTED, 'more')}`] : []),
    `- \`@${input.bot.username} ${WHY}\`: say what blocks this, and what the rules decide`,
    ...(input.withoutServer === true
      ? []
      : [
          `- \`@${input.bot.username} ${FREEZE} until TIME [except LABELS] [because REASON]\`, or \`${FREEZE} end\` (maintainer or above): merge nothing in this project until then`,
        ]),
    `- \`@${input.bot.username} ${HELP}\`: list the commands`,
    ...(hidden ? ['', 'Rules of the operator or of other projects may have more.'] : []),
  ].join('\n')
}

/** `freeze until 2026-12-01T09:00Z except hotfix because the release`, and `freeze end`. */
const FREEZE_LINE = new RegExp(`^${FREEZE}(?: (?:until |for )?(.+?))?(?: except (.+?))?(?: because (.+))?$`, 'm')

/**
 * What the command says, once the access of its author is read; and the call that does it, which is absent if it was
 * done, or somebody froze the project since. Fails closed: only a Maintainer's public note counts.
 */
function freezeCommand(input: DecideInput, { id, event }: Occurrence): { said: string; call?: OwnCall } {
  if (input.withoutServer === true)
    return { said: 'not done: `bellhop run` keeps no freeze, use `freeze:` in the rules' }
  const view = createView(input, event)
  const access = view.fact('actor_access')
  const line = view.publicFact('command_line')
  if (access.is !== 'known' || Number(levelNumber(String(access.value))) < Number(levelNumber('maintainer')))
    return { said: 'not done: only a maintainer or above may' }
  if (line.is !== 'known') return { said: 'not done: say it in a note that everybody may read' }
  const by = event.actor.username ?? String(event.actor.id)
  const [, until = '', except, reason] = FREEZE_LINE.exec(String(line.value)) ?? []
  const over: Freeze = { until: event.at, except: [], by, at: event.at }
  const freeze = until === 'end' ? over : readFreeze({ until, reason, except }, by, event.at)
  if (freeze === undefined) return { said: `not done: ${freezeEnd}` }
  const but = freeze.except.length === 0 ? '' : `, but what has a label of ${freeze.except.join(', ')}`
  const said = freeze === over ? 'the freeze is over' : `nothing merges in this project${but}: ${sayFreeze(freeze)}`
  const since = Date.parse(input.freeze?.at ?? '') - Date.parse(event.at)
  if (since > 0) return { said: 'not done: somebody began or ended a freeze since' }
  if (since === 0) return { said: harmless(said) }
  const { project, iid } = input.mergeRequest
  const params = { id: project, merge_request_iid: iid, delivery: id, freeze: { ...freeze } }
  return { said: harmless(said), call: { to: 'journal', endpoint: 'freeze.change', params } }
}
