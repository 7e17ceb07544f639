// Which events may change what rules do: intake leaves out the others, and `hooks install` asks for no others.
import { actionNamed } from '../actions/index.ts'
import type { Trigger } from '../facts/definition/fact.ts'
import { sources } from '../facts/definition/sources.ts'
import { subjectOf } from '../facts/definition/subject-ref.ts'
import { factNamed } from '../facts/index.ts'
import { statedFacts } from '../facts/reading/event-facts.ts'
import { createView, type FactReader } from '../facts/reading/fact-view.ts'
import { factsIn } from '../language/conditions.ts'
import { isFor } from '../language/events.ts'
import { createStepBudget, MOST_STEPS } from '../language/patterns/pattern-budget.ts'
import type { RuleAction } from '../language/values/rule-types.ts'
import type { DecideInput, Event, FactValue, MergeRequestOrigin, MergeRequestRef, Override } from '../types.ts'
import { compileCondition } from './conditions/compiled-conditions.ts'
import { type ConditionEvaluation, createEvaluation } from './conditions/condition-evaluation.ts'
import { type RuleInForce, ruleSet } from './conditions/rules-in-force.ts'
import { factsOfAction } from './facts-of-action.ts'
import { isShown } from './shown-by-updated-at.ts'
import { emptyMemory } from './update-memory.ts'

/** A merge request or issue as intake knows it. */
export interface EventTarget {
  ref: MergeRequestRef
  /** Something waits or is held, which may have to be withdrawn, whatever the facts are now. */
  keeps: boolean
  /** Whether it is merged or closed, as an evaluation saw or made it. */
  ended?: boolean
  origin?: MergeRequestOrigin
  /** The event is a note that Bellhop wrote. */
  isOwnNote?: boolean
}

/** What can change the outcome of a rule, other than an event of the merge request or issue itself. */
export function triggersOf({ rule }: Pick<RuleInForce, 'rule'>): Trigger[] {
  const { if: condition, actions, subject } = rule
  const changed = [...factsIn(condition), ...actions.flatMap(factsOfAction)].flatMap(triggersOfFact)
  const merges = actions.some(({ action }) => actionNamed(action)?.limited === 'merge')
  const comparesStatuses = actions.some(({ action }) =>
    actionNamed(action)?.reads?.sources?.includes(sources.statuses.name),
  )
  const all = [...changed, ...(merges || comparesStatuses ? (['pipeline'] as const) : [])]
  return [...new Set(all)].filter((trigger) => subject !== 'issue' || ofIssues.has(trigger))
}

const ofIssues: ReadonlySet<Trigger> = new Set(['note', 'note by others', 'emoji'])

const withPipelines: readonly string[] = [
  sources.mergeRequest.name,
  sources.pipelines.name,
  sources.pipelineCommit.name,
]

/** A fact that does not show in `updated_at` may change with pipelines. */
function triggersOfFact(name: string): readonly Trigger[] {
  const fact = factNamed(name)
  if (fact === undefined) return ['pipeline']
  const { changesWith = [], from } = fact
  const isOther =
    isShown(name) || changesWith.includes('emoji') || !from.some((source) => withPipelines.includes(source))
  return isOther ? changesWith : [...changesWith, 'pipeline']
}

/** Whether an event may change what the rules do about a target. Reads nothing, and costs a fraction of a decision. */
export function isTriggered(rules: InForce, event: Event, target: EventTarget): boolean {
  // The text of a command is not known here, and `@bellhop why` needs no rule.
  if (event.kind === 'note.create' && event.note?.mentions !== false && !target.isOwnNote) return true
  // Any event may be a reason to evaluate again what waits or is held.
  if (target.keeps && !target.isOwnNote) return rules.policy?.mode !== 'off'
  const [object = ''] = event.kind.split('.')
  const isOfTarget = object !== 'pipeline' && object !== 'note' && object !== 'emoji'
  // A status changes nothing that a pipeline does not change.
  const isBy = (trigger: Trigger) =>
    trigger === object || (trigger === 'note by others' && object === 'note' && !target.isOwnNote)
  const mayChange = (each: RuleInForce) => isOfTarget || triggersOf(each).some(isBy)
  const concerned = activeRules(rules, target.ref).filter((each) => {
    const { on } = each.rule
    return mayActWithoutEvent(each, target) ? mayChange(each) : isFor(on ?? [], event) && !target.isOwnNote
  })
  if (target.keeps) return concerned.length > 0
  const stated = statedFacts(event, target.ref, target)
  const view = (ofEvent?: Event) => statedView(viewOf({ now: event.at, target, overrides: stated }, ofEvent), stated)
  return !areFalse(concerned, view(), view(event))
}

/** Whether a push to its target branch may change what rules do about a merge request. `body`: as a list shows it. */
export function isTriggeredByTarget(rules: InForce, now: string, target: EventTarget, body: object): boolean {
  const concerned = activeRules(rules, target.ref).filter(
    (each) => isAboutTarget(each) && mayActWithoutEvent(each, target),
  )
  if (target.keeps) return concerned.length > 0
  const view = viewOf({ now, target, answers: { [sources.mergeRequest.name]: { ok: true, body, complete: true } } })
  return !areFalse(concerned, view, view)
}

/** Whether a push to a target branch may change what any rule does. */
export const hasRuleAboutTarget = ({ files, policy }: InForce): boolean =>
  ruleSet(files, policy).rules.some((each) => each.mode !== 'off' && isAboutTarget(each))

type InForce = Pick<DecideInput, 'files' | 'policy'>

/** An event rule acts without an event only if its request stands. */
const mayActWithoutEvent = ({ rule }: RuleInForce, { keeps }: EventTarget) => rule.on === undefined || keeps

const isAboutTarget = ({ rule }: RuleInForce) =>
  factsIn(rule.if).some((name) => factNamed(name)?.changesWith?.includes('target branch') === true)

const activeRules = ({ files, policy }: InForce, ref: MergeRequestRef) =>
  ruleSet(files, policy).of[subjectOf(ref)].filter(({ mode }) => mode !== 'off')

/** Whether all rules are certainly false, or cannot act. A rule that also acts when it does not match always can. */
function areFalse(rules: readonly RuleInForce[], view: FactReader, viewOfEvent: FactReader): boolean {
  // Beyond this budget nothing is certain; the evaluation has a larger one.
  const limits = { budget: createStepBudget(MOST_STEPS / 100) }
  const [state, ofEvent] = [createEvaluation(view, limits), createEvaluation(viewOfEvent, limits)]
  return rules.every(({ rule, condition }) => {
    if (rule.actions.some(({ action }) => actionNamed(action)?.when === 'unmatched_too')) return false
    // What an event requests stands until it can be done.
    if (rule.on !== undefined) return ofEvent.verdict(condition) === 'false'
    return state.verdict(condition) === 'false' || rule.actions.every((each) => cannotAct(each, state))
  })
}

/** Whether a condition of the action's own is certainly false: what is merged is not merged once more. */
const cannotAct = ({ action, args }: RuleAction, evaluation: ConditionEvaluation) =>
  (actionNamed(action)?.requires?.(args) ?? []).some(
    (condition) => evaluation.verdict(compileCondition(condition)) === 'false',
  )

function viewOf(
  { now, target, ...known }: Pick<DecideInput, 'now'> & { target: EventTarget } & Partial<DecideInput>,
  event?: Event,
): FactReader {
  const nothing = { files: [], answers: {}, events: [], memory: emptyMemory() }
  // The bot user is unknown here: its own event costs one more evaluation.
  const bot = { id: -1, username: '' }
  const project = { mergeRequestPipelines: false }
  return createView({ ...nothing, now, bot, project, mergeRequest: target.ref, ...known }, event)
}

const unread: FactValue = { is: 'unread', source: sources.mergeRequest.name }

/** A view in which only stated facts and those of the event are known. */
function statedView(view: FactReader, stated: readonly Override[]): FactReader {
  const isKnown = (name: string) =>
    stated.some(({ fact }) => fact === name) || (view.event !== undefined && factNamed(name)?.ofEvents === true)
  return { ...view, fact: (name) => (isKnown(name) ? view.fact(name) : unread) }
}
