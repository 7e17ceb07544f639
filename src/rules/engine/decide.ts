// Decides what the rules do about one merge request, or names the sources to read first. Pure.

import { answerWhy } from '../explain/why.ts'
import { isProject } from '../facts/definition/project-ref.ts'
import { mergeRequestSource, sourceNamed } from '../facts/definition/sources.ts'
import { answersOfOtherVersions, readAgainInMs } from '../facts/reading/evaluated-version.ts'
import { createView, type FactReader } from '../facts/reading/fact-view.ts'
import type { Mode, Verdict } from '../language/values/rule-types.ts'
import type { Call, DecideInput, Decision, RuleTrace, SourceName } from '../types.ts'
import type { ConditionResult } from './conditions/evaluate-condition.ts'
import { type EvaluatedRules, type EvaluatedVersion, evaluateRules } from './conditions/evaluate-rules.ts'
import { type RuleEvaluation, ruleEvaluations, ruleSet } from './conditions/rules-in-force.ts'
import { restrainedByUnknown } from './conditions/unknown-restraint.ts'
import type { EventOf } from './limits/loop-guard.ts'
import { type OffLabel, readOffLabel } from './limits/off-label.ts'
import { ruleName } from './memory/standing-requests.ts'
import { withdrawalsFirst } from './memory/withdrawals.ts'
import { type Observed, observe } from './observe-mode.ts'
import { type HeldBack, holdBack, madeNow, tracesHeldBack } from './pause.ts'
import { planCalls } from './plan.ts'
import type { Plan } from './plan-action.ts'
import type { RequestedAction } from './requested-actions.ts'
import { actionsOf, changeOf, hasBecome, traceOf } from './rule-traces.ts'
import { memoryAfter, settle } from './unconfirmed-call.ts'
import { keepsAnything } from './update-memory.ts'

export type { DecideInput, RuleFileInForce } from '../types.ts'

function cheapestFirst(needs: readonly SourceName[]): SourceName[] {
  const cost = (name: SourceName) => sourceNamed(name)?.cost ?? Number.MAX_SAFE_INTEGER
  return [...new Set(needs)].sort((a, b) => cost(a) - cost(b) || (a < b ? -1 : 1))
}

/** Adds the actions of a rule that matched. */
function addRequests(
  requests: RequestedAction[],
  evaluation: RuleEvaluation,
  input: DecideInput,
  view: FactReader,
): void {
  const { rule, key, name, file, occurrence, request, keptOnly } = evaluation
  const done =
    occurrence === undefined
      ? hasBecome(evaluation, input)
        ? []
        : (input.memory.rules[name]?.done ?? [])
      : (input.memory.events?.[occurrence.id]?.[name] ?? [])
  const ofEvent = occurrence !== undefined
  for (const { action, args, line } of rule.actions) {
    if (keptOnly === true && request?.actions.includes(action) !== true) continue
    requests.push({ action, args, line, key, rule: name, file, view, ofEvent, doneBefore: done.includes(action) })
  }
}

/** The head and the target branch that are evaluated, if known. */
function versionIn(view: FactReader): EvaluatedVersion {
  const [head, target] = [view.fact('head'), view.fact('target_branch')]
  return {
    head: head.is === 'known' && typeof head.value === 'string' ? head.value : null,
    ...(target.is === 'known' && typeof target.value === 'string' ? { target: target.value } : {}),
  }
}

/** The decision, or the sources to read first, cheapest first. The same input gives the same result. */
export function decide(input: DecideInput): Decided {
  const decided = decideSettled(input)
  return 'decision' in decided && mustBeRead(input, decided.decision) ? { needs: [mergeRequestSource] } : decided
}

/** Facts known before the merge request is read can only rule rules out: if any rule matches or anything is held, the merge request is read. */
function mustBeRead(input: DecideInput, decision: Decision): boolean {
  const { memory, policy } = input
  if (!isGuessed(input) || policy?.mode === 'off') return false
  const { rules, calls, dryRunCalls = [], noted, settled } = decision
  if (rules.some(({ verdict }) => verdict === 'true') || calls.length + dryRunCalls.length > 0) return true
  return noted !== undefined || settled !== undefined || keepsAnything(memory)
}

/** Stable facts are known, but the merge request was not read. */
function isGuessed({ stable, answers, mergeRequest }: DecideInput): boolean {
  return stable !== undefined && !Object.hasOwn(answers, mergeRequestSource) && !isProject(mergeRequest)
}

function decideSettled(input: DecideInput): Decided {
  const settled = input.memory.pending === undefined ? undefined : settle(input, createView(input))
  if (settled === undefined) return decideOn(input)
  if ('needs' in settled) return { needs: cheapestFirst(settled.needs) }
  const decided = decideOn({ ...input, memory: memoryAfter(input.memory, settled) })
  return 'needs' in decided ? decided : { decision: { ...decided.decision, settled } }
}

function decideOn(input: DecideInput): Decided {
  const mode = input.policy?.mode ?? 'act'
  const own = decideFor(input, ['act', 'off'])
  if ('needs' in own) return own
  const { decision } = own
  const observed = ruleSet(input.files, input.policy).observes
    ? observe(input, decision, (each) => decideFor(each, ['act', 'observe']))
    : undefined
  if (observed !== undefined && 'needs' in observed) return { needs: cheapestFirst(observed.needs) }
  const whole = observed === undefined ? decision : withObserved(input, decision, observed)
  // The pending call may itself be an answer to `why`.
  if (mode !== 'act' || input.memory.pending !== undefined) return { decision: whole }
  const why = answerWhy(input, whole)
  if ('needs' in why) return { needs: cheapestFirst(why.needs) }
  return { decision: { ...whole, rules: [...whole.rules, ...why.rules], calls: [...whole.calls, ...why.calls] } }
}

/** The calls of `decide` without the traces, for callers that only compare or send them. */
export function decideCalls(input: DecideInput): { needs: SourceName[] } | { calls: Call[] } {
  // An answer to `why` needs the traces, a pending call is settled first, and stable facts alone lead to no call.
  if (
    isGuessed(input) ||
    input.memory.pending !== undefined ||
    input.events.some(({ event }) => event.kind === 'note.create')
  ) {
    const decided = decide(input)
    return 'needs' in decided ? decided : { calls: decided.decision.calls }
  }
  const planned = planFor(input, ['act', 'off'])
  return 'needs' in planned ? planned : { calls: planned.calls }
}

type Decided = { needs: SourceName[] } | { decision: Decision }

/** All rules in their order, whether they act or observe. */
function withObserved(input: DecideInput, decision: Decision, observed: Observed): Decision {
  const { againInMs: again, changesAt: changes, ...acting } = decision
  const places = new Map(ruleSet(input.files, input.policy).rules.map(({ name }, index) => [name, index]))
  const place = (trace: RuleTrace) => places.get(ruleName(trace)) ?? -1
  const changesAt = [...(changes === undefined ? [] : [changes]), ...observed.changesAt].sort()[0]
  return {
    ...acting,
    rules: [...decision.rules, ...observed.rules].sort((left, right) => place(left) - place(right)),
    dryRunCalls: observed.dryRunCalls,
    ...(changesAt === undefined ? {} : { changesAt }),
    ...againIn([...(again === undefined ? [] : [again]), ...observed.againInMs]),
  }
}

/** The plan of a decision, before the traces are made. */
interface Planned {
  rules: readonly RuleEvaluation[]
  evaluated: EvaluatedRules
  /** What the rules ask for. */
  plan: Plan
  /** The plan that is carried out: if Bellhop is turned off, it withdraws what it holds. */
  made: Plan
  version: EvaluatedVersion
  held: HeldBack
  calls: Call[]
  offIgnored: string | undefined
}

/** Considers only the rules of these modes. */
function planFor(input: DecideInput, modes: readonly Mode[]): { needs: SourceName[] } | Planned {
  const view = createView(input)
  const label = readOffLabel(input, view)
  if ('needs' in label) return label
  const off = turnedOff(input, label)
  const all = ruleEvaluations(input)
  const rules = all.every(({ mode }) => modes.includes(mode)) ? all : all.filter(({ mode }) => modes.includes(mode))
  const version = versionIn(view)
  const evaluated = evaluateRules(rules, input, view, version)
  const requests: RequestedAction[] = []
  const unsettled: SourceName[] = []
  const unknown: RuleEvaluation[] = []
  rules.forEach((each, place) => {
    const verdict = evaluated.verdicts[place]
    if (verdict === 'true') addRequests(requests, each, input, evaluated.view(each))
    if (verdict !== 'unknown') return
    unsettled.push(...evaluated.trace(place).needs)
    unknown.push(each)
  })
  const plan = planCalls(requests, input, view, restrainedByUnknown(unknown, input))
  // A held action lasts as long as a rule requests it, and no rule does if Bellhop is turned off.
  const made = off === undefined ? plan : planCalls([], input, view, new Map())
  // An approval is withdrawn only when it is certain that no rule requests it, so unsettled rules are read first.
  const needs = cheapestFirst(unsettled.length > 0 ? unsettled : [...plan.needs, ...made.needs])
  if (needs.length > 0) return { needs }
  const held = holdBack(input, plan.calls, eventsBy(rules), off)
  const calls =
    off === undefined || input.memory.pending !== undefined ? madeNow(made.calls, held) : withdrawalsFirst(made.calls)
  return {
    rules,
    evaluated,
    plan,
    made,
    version,
    held,
    calls,
    offIgnored: 'ignored' in label ? label.ignored : undefined,
  }
}

/** Why Bellhop is turned off; undefined if it is not. */
function turnedOff(
  { policy, offLabel }: DecideInput,
  label: Exclude<OffLabel, { needs: SourceName[] }>,
): string | undefined {
  if (policy?.mode === 'off') return 'the operator turned Bellhop off for this project'
  return label.isOff ? `the label ${offLabel} is on it` : undefined
}

/** The event of each key; made when it is first used. */
function eventsBy(rules: readonly RuleEvaluation[]): EventOf {
  let events: Map<string, string | undefined> | undefined
  return (expected) => {
    events ??= new Map(rules.map(({ key, occurrence }) => [key, occurrence?.id]))
    return events.get(expected)
  }
}

function decideFor(input: DecideInput, modes: readonly Mode[]): Decided {
  const planned = planFor(input, modes)
  return 'needs' in planned ? planned : { decision: decisionOf(planned, input) }
}

function decisionOf(
  { rules, evaluated, plan, made, version, held, calls, offIgnored }: Planned,
  input: DecideInput,
): Decision {
  const results = rules.map((_, place) => evaluated.trace(place))
  const actionsFor = actionsOf(plan.traces, made.withdrawn)
  const traces = rules.map((each, place) => {
    const { asked, withdrawn } = actionsFor(each, evaluated.verdicts[place] as Verdict)
    return traceOf(each, results[place] as ConditionResult, [...tracesHeldBack(asked, each, held), ...withdrawn], input)
  })
  const { pause, waiting } = held
  return {
    rules: traces,
    calls,
    responses: [],
    ...version,
    files: input.files.map(({ path, blob, commit }) => ({ path, blob, ...(commit === undefined ? {} : { commit }) })),
    ...(made.noted.length === 0 ? {} : { noted: made.noted }),
    ...(pause === undefined ? {} : { paused: pause.reason }),
    ...(offIgnored === undefined ? {} : { offIgnored }),
    ...(input.memory.uncertain === undefined ? {} : { uncertain: input.memory.uncertain.map(({ detail }) => detail) }),
    ...(isProject(input.mergeRequest) ? {} : changeOf(rules, results)),
    ...againIn([
      ...plan.againInMs,
      ...evaluated.againInMs,
      ...(answersOfOtherVersions(input).length === 0 ? [] : [readAgainInMs]),
      ...(pause?.againInMs ?? [...waiting.values()].map(({ until }) => Math.max(1000, until - Date.parse(input.now)))),
    ]),
  }
}

const againIn = (times: readonly number[]) => (times.length === 0 ? {} : { againInMs: Math.min(...times) })
