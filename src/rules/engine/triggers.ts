// Which events and changes may change what rules do: intake and the sweep leave out the rest.
import { actionNamed } from '../actions/index.ts'
import type { Trigger } from '../facts/definition/fact.ts'
import { sources } from '../facts/definition/sources.ts'
import { numberOf, subjectOf } from '../facts/definition/subject-ref.ts'
import { factNamed, facts } from '../facts/index.ts'
import { createView, type FactReader } from '../facts/reading/fact-view.ts'
import { factsIn } from '../language/conditions.ts'
import { isFor } from '../language/events.ts'
import { createStepBudget, MOST_STEPS } from '../language/patterns/pattern-budget.ts'
import { namesIn } from '../language/templates.ts'
import type {
  DecideInput,
  Decision,
  Event,
  FactValue,
  Json,
  MergeRequestOrigin,
  MergeRequestRef,
  Override,
  RuleAction,
  Trace,
} from '../types.ts'
import { conditionsReadLast } from './accept.ts'
import { compileCondition, createEvaluation } from './conditions/evaluate-condition.ts'
import { type RuleInForce, ruleSet } from './conditions/rules-in-force.ts'
import { isWithdrawal } from './limits/deferred-calls.ts'
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
  const mergesOrComparesStatuses = actions.some(({ action }) => {
    const declared = actionNamed(action)
    return declared?.limited === 'merge' || declared?.reads?.sources?.includes(sources.statuses.name)
  })
  const all = new Set(mergesOrComparesStatuses ? [...changed, 'pipeline' as const] : changed)
  return [...all].filter((trigger) => subject !== 'issue' || ofIssues.has(trigger))
}

const ofIssues: ReadonlySet<Trigger> = new Set(['note', 'note by others', 'emoji'])

const withPipelines = [sources.mergeRequest, sources.pipelines, sources.pipelineCommit].map(({ name }) => name)

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
  // The rules that merge are evaluated, also those for other events (backtest/past-rules.ts).
  const isMerge = event.kind === 'merge_request.merge' && target.ended !== true
  const concerned = activeRules(rules, target.ref).filter((each) => {
    const { on } = each.rule
    if (mayActWithoutEvent(each, target)) return mayChange(each)
    return (isFor(on ?? [], event) && !target.isOwnNote) || (isMerge && merges(each))
  })
  if (target.keeps) return concerned.length > 0
  const stated = statedFacts(event, target.ref, target)
  // Only stated facts and those of the event are known.
  const view = (ofEvent?: Event): FactReader => {
    const all = viewOf({ now: event.at, target, overrides: stated }, ofEvent)
    const isOfEvent = (name: string) => ofEvent !== undefined && factNamed(name)?.ofEvents === true
    const isKnown = (name: string) => stated.some(({ fact }) => fact === name) || isOfEvent(name)
    return { ...all, fact: (name) => (isKnown(name) ? all.fact(name) : unread) }
  }
  return !areFalse(concerned, view(), view(event))
}

/** Whether rules can do nothing about one that was never evaluated and has no event. `body`: as a list shows it. */
export function isUntouchedByList(rules: InForce, now: string, target: EventTarget, body: object): boolean {
  const concerned = activeRules(rules, target.ref).filter((each) => mayActWithoutEvent(each, target))
  const answer = { ok: true, body: { ...body, iid: numberOf(target.ref) }, complete: true } as const
  const all = viewOf({ now, target, answers: { [sources.mergeRequest.name]: answer } })
  // What a list leaves out or shows late counts as unknown.
  const view: FactReader = { ...all, fact: (name) => (isShown(name) ? all.fact(name) : unread) }
  return areFalse(concerned, view, view)
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

const merges = ({ rule }: RuleInForce) => rule.actions.some(({ action }) => action === 'accept')

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
    if (state.verdict(condition) === 'false') return true
    // Or a condition of the action's own is certainly false: what is merged is not merged once more.
    return rule.actions.every(({ action, args }) =>
      actionNamed(action)
        ?.requires?.(args)
        .some((each) => state.verdict(compileCondition(each)) === 'false'),
    )
  })
}

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

/** The facts, without those that every use of the action needs. */
export function factsOfAction({ action: name, args }: RuleAction): string[] {
  const action = actionNamed(name)
  if (action === undefined) return []
  return [
    ...[...(action.requires?.(args) ?? []), ...conditionsReadLast(action)].flatMap(factsIn),
    ...(action.reads?.facts?.(args) ?? []),
    // A name may be that of a group.
    ...(action.template?.texts?.(args) ?? []).flatMap(namesIn).filter((each) => factNamed(each) !== undefined),
  ]
}

/** Whether a change of the fact shows in `updated_at`, comes with an event, or is followed by a timer. */
function isShown(name: string): boolean {
  const fact = factNamed(name)
  return fact?.showsInUpdatedAt === true || fact?.stable === true || fact?.ofEvents === true
}

/**
 * Whether only a change of `updated_at`, a timer or an event can change the decision, and all withdrawals are done.
 * `seesPipelines`: or a new or changed pipeline of the project, which a list shows too.
 */
export function isShownByUpdatedAt(
  decision: Pick<Decision, 'rules' | 'paused' | 'responses'>,
  { seesPipelines = false } = {},
): boolean {
  const isSeen = (name: string, { ofGroup }: Trace) =>
    ofGroup !== true && (isShown(name) || (seesPipelines && name === 'pipeline'))
  if (decision.responses.some(({ call, result }) => isWithdrawal(call) && result !== 'done' && result !== 'already'))
    return false
  // The label that turns Bellhop off shows in `updated_at`; a pause by the loop guard ends by itself.
  if (decision.paused !== undefined) return true
  return decision.rules.every(({ conditions, actions, event, verdict }) => {
    // An event rule is evaluated once for its event. A standing request waits.
    if (event !== undefined && verdict !== 'true') return actions.every(({ result }) => result !== 'waits')
    return (
      isTraceOf(conditions, isSeen) &&
      actions.every(
        ({ action, result }) =>
          // A new pipeline of the same head lacks the status, and does not change `updated_at`.
          result !== 'waits' && result !== 'blocked' && actionNamed(action)?.when !== 'unmatched_too',
      )
    )
  })
}

/** Whether the facts that decide the verdict are all of this kind. */
export function isTraceOf(trace: Trace, isOfKind: (fact: string, trace: Trace) => boolean): boolean {
  const { condition, verdict, children } = trace
  if (children === undefined) return isOfKind(condition, trace)
  // One part can decide the whole: a rule for another author does not wait for its pipeline.
  const deciding = condition === 'all' ? 'false' : condition === 'any' ? 'true' : undefined
  if (verdict === deciding) return children.some((child) => child.verdict === deciding && isTraceOf(child, isOfKind))
  return children.every((child) => isTraceOf(child, isOfKind))
}

const statuses = facts.pipeline.type.values ?? []

/**
 * The stated facts. A later change of the target branch, or a later end of the pipeline, has its own event. `ended`: an
 * evaluation saw or made the end of the merge request. Else its event leads to one, which remembers the end.
 */
export function statedFacts(
  { kind, pipeline, target }: Event,
  ref: MergeRequestRef,
  { origin, ended }: { origin?: MergeRequestOrigin; ended?: boolean },
): Override[] {
  const stated: Record<string, Json | undefined> = {
    iid: numberOf(ref),
    state: ended === true && kind === 'merge_request.merge' ? 'merged' : undefined,
    pipeline: pipeline !== undefined && statuses.includes(pipeline.status) ? pipeline.status : undefined,
    target_branch: target,
    source_branch: origin?.branch,
    source_project_id: origin?.project,
    from_fork: origin && origin.project !== ref.project,
    author: origin?.author,
  }
  return Object.entries(stated).flatMap(([fact, value]) =>
    value === undefined ? [] : [{ fact, is: { is: 'known', value, complete: true } }],
  )
}
