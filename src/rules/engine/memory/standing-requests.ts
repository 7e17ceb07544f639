// Requests of events: standing ones are evaluated as state until done, withdrawn, or the head or target branch moves;
// what an event withdrew stays withdrawn for that head; and Bellhop's own events start no rule.
import { endpointsByName } from '../../../api/index.ts'
import { mergesNow } from '../../actions/definition/accept-memory.ts'
import { type Action, isOneWay, isStanding } from '../../actions/definition/action.ts'
import { isCallOf } from '../../actions/definition/action-calls.ts'
import { actionNamed, actions } from '../../actions/index.ts'
import { isOwn } from '../../facts/definition/access.ts'
import { textOf } from '../../facts/definition/fact.ts'
import { isProject } from '../../facts/definition/subject-ref.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import type {
  Call,
  CallResponse,
  DecideInput,
  Decision,
  Event,
  Memory,
  RuleTrace,
  StandingRequest,
} from '../../types.ts'

/** `<file>#<rule>`, without the event. */
export function ruleName({ key, event }: RuleTrace): string {
  return event === undefined ? key : key.slice(0, -event.id.length - 1)
}

/** The calls of a decision that the rule requests for its action, and the responses to them. */
export function callsOf(
  { key }: RuleTrace,
  action: string,
  decision: Decision,
): { calls: Call[]; responses: CallResponse[] } {
  const isOwn = (call: Call) => isCallOf(call, action) && call.rules.includes(key)
  return { calls: decision.calls.filter(isOwn), responses: decision.responses.filter(({ call }) => isOwn(call)) }
}

/** The head (null if it is not known), the target branch and the state that are evaluated. */
export type EvaluatedVersion = Pick<Decision, 'head' | 'target' | 'state'>

export function evaluatedVersion(view: FactReader): EvaluatedVersion {
  const [head = null, target, state] = ['head', 'target_branch', 'state'].map((name) => textOf(view.fact(name)))
  return { head, target, state }
}

/** What moved since a request was made: its head or its target branch. A version that is not known has not moved. */
export function movedSince(
  requested: { head?: string; target?: string },
  { head, target }: EvaluatedVersion,
): { fact: 'head' | 'target_branch'; requested: string; actual: string } | undefined {
  if (requested.head !== undefined && head !== null && requested.head !== head)
    return { fact: 'head', requested: requested.head.slice(0, 8), actual: head.slice(0, 8) }
  if (requested.target !== undefined && target !== undefined && requested.target !== target)
    return { fact: 'target_branch', requested: requested.target, actual: target }
  return undefined
}

/** A rule's request for its event, now or earlier. Head and target are of the event, or of its first evaluation. */
function requestOf(rule: RuleTrace, memory: Memory, version: EvaluatedVersion): StandingRequest | undefined {
  const { event: occurrence, fingerprint } = rule
  if (occurrence === undefined) return undefined
  const name = ruleName(rule)
  const before = memory.standing?.find((each) => each.rule === name && each.occurrence.id === occurrence.id)
  if (before?.fingerprint === fingerprint) return before
  const requested = rule.actions.filter(({ result, withdrawal }) => withdrawal !== true && result !== 'done_before')
  const actions =
    rule.verdict === 'true' ? requested.flatMap(({ action }) => (isStanding(actionNamed(action)) ? [action] : [])) : []
  if (actions.length === 0) return before
  const head = before?.head ?? occurrence.event.head ?? version.head
  if (head === null) return undefined
  const target = before === undefined ? (occurrence.event.target ?? version.target) : before.target
  return { rule: name, fingerprint, head, target, occurrence, actions }
}

const standingActions = () =>
  Object.values<Action>(actions).flatMap((action) => (isStanding(action) ? [action.name] : []))

function isFulfilled(rule: RuleTrace, decision: Decision): boolean {
  return rule.actions.some(({ action, result }) => {
    const declared = actionNamed(action)
    if (declared?.when !== 'until_done') return false
    if (result === 'nothing_to_do') return true
    return callsOf(rule, action, decision).responses.some(
      (response) => (response.result === 'done' || response.result === 'already') && mergesNow(response.call),
    )
  })
}

/** The actions whose standing requests rules end now. */
function actionsEndedBy(decision: Decision): Set<string> {
  // An observing rule ends nothing.
  const acting = decision.rules.filter(({ mode }) => mode === undefined)
  const ending = acting.flatMap(({ actions }) =>
    actions.filter(({ result }) => result === 'call' || result === 'nothing_to_do' || result === 'blocked'),
  )
  return new Set(ending.flatMap(({ action }) => actionNamed(action)?.restrains?.actions ?? []))
}

/**
 * Requests stand while their head and target branch stay the same, until they are fulfilled or ended. `ended`: the
 * actions of ended requests, by rule key: the same event does not request them again.
 */
export function standingAfter(memory: Memory, decision: Decision) {
  const endedActions = actionsEndedBy(decision)
  const ended = new Map<string, string[]>()
  const requests = decision.rules.flatMap((rule) => {
    const request = requestOf(rule, memory, decision)
    if (request === undefined) return []
    const hasMoved = movedSince(request, decision) !== undefined
    const actions =
      hasMoved || isFulfilled(rule, decision) ? [] : request.actions.filter((action) => !endedActions.has(action))
    // The rule may have changed since: the event requests nothing under another version of it.
    const requested = hasMoved ? standingActions() : request.actions
    ended.set(
      rule.key,
      requested.filter((action) => !actions.includes(action)),
    )
    return actions.length === 0 ? [] : [{ ...request, actions }]
  })
  return { requests, ended }
}

/** The actions that an event rule requests now, including those that it could not do: that fails closed. */
function requestedActions({ event, mode, actions }: RuleTrace): string[] {
  if (event === undefined || mode !== undefined) return []
  return actions
    .filter(({ result, withdrawal }) => withdrawal !== true && result !== 'done_before' && result !== 'overruled')
    .map(({ action }) => action)
}

/** The one-way actions that events keep state rules from, for as long as the rule stays matched. */
export function restrainedOneWayActions({ rules }: Decision): Set<string> {
  const names = rules.flatMap(requestedActions).flatMap((name) => actionNamed(name)?.restrains?.actions ?? [])
  return new Set(names.filter((name) => isOneWay(actionNamed(name) ?? {})))
}

/** The restrained actions with head and rule. A push or an event that requests the action ends a restraint. */
export function restrainedAfter(
  { restrained = {} }: Memory,
  { head, rules }: Decision,
): NonNullable<Memory['restrained']> {
  const requested = new Set(rules.flatMap(requestedActions))
  const kept = Object.entries(restrained).filter(
    ([name, before]) => (head === null || before.head === head) && !requested.has(name),
  )
  const added = rules.flatMap((rule) =>
    requestedActions(rule).flatMap((name) => {
      const { actions = [], also } = actionNamed(name)?.restrains ?? {}
      // With the file, so that public text can recognize and hide it.
      return also === 'while_head_stays' && head !== null
        ? actions.map((each) => [each, { head, by: ruleName(rule) }] as const)
        : []
    }),
  )
  return Object.fromEntries([...kept, ...added])
}

/** How long after a call an event may still be caused by it. */
const RAISED_WITHIN_MS = 60 * 60_000

/** For each kind of event, when a recorded call last could have caused one. */
export function rememberRaised(
  { raised = {} }: Memory,
  answers: readonly CallResponse[],
): NonNullable<Memory['raised']> {
  const effective: CallResponse['result'][] = ['done', 'already', 'dropped', 'ambiguous']
  const may = answers.filter(({ result }) => effective.includes(result))
  const now = may.flatMap(({ call: { endpoint, params }, at }) =>
    (endpointsByName.get(endpoint)?.raises?.(params) ?? []).map((kind) => [kind, at] as const),
  )
  return { ...raised, ...Object.fromEntries(now) }
}

/**
 * Bellhop's own events start no rule, or they would loop. Other events of its user do, if no recorded call can have
 * caused them. Fails closed: notes and project events of its user always count as its own.
 */
export function isOwnDoing(
  event: Event,
  { bot, memory, mergeRequest }: Pick<DecideInput, 'bot' | 'memory' | 'mergeRequest'>,
): boolean {
  if (!isOwn(event, bot)) return false
  if (event.kind.startsWith('note.') || isProject(mergeRequest)) return true
  const last = memory.raised?.[event.kind]
  return last !== undefined && Date.parse(event.at) - Date.parse(last) < RAISED_WITHIN_MS
}
