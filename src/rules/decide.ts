// Decide: what the rules say about one merge request, or what must be read before they can say it. Pure.

import { answersOfOtherVersions, readAgainInMs } from './evaluated-version.ts'
import type { EventOf } from './flips.ts'
import type { Judged } from './judge.ts'
import { type EvaluatedVersion, type JudgedRules, judgeRules } from './judge-rules.ts'
import { type Observed, observe } from './observing.ts'
import { type OffLabel, readOffLabel } from './off-label.ts'
import { type HeldBack, holdBack, madeNow, tracesHeldBack } from './pause.ts'
import { memoryAfter, settle } from './pending.ts'
import { type Plan, planCalls } from './plan.ts'
import { isProject } from './project-ref.ts'
import { keepsAnything } from './remember.ts'
import { type Judgement, judgements, ruleSet } from './rules-in-force.ts'
import { boundSource, sourceNamed } from './sources.ts'
import { ruleName } from './standing.ts'
import type { ActionTrace, Call, DecideInput, Decision, Mode, RuleTrace, SourceName, Verdict } from './types.ts'
import { restrainedByUnknown } from './unknown-restraint.ts'
import { createView, type View } from './view.ts'
import { answerWhy } from './why.ts'
import type { RuleWish } from './wishes.ts'
import { withdrawalsFirst } from './withdrawal.ts'

export type { DecideInput, RuleFileInForce } from './types.ts'

function cheapestFirst(needs: readonly SourceName[]): SourceName[] {
  const cost = (name: SourceName) => sourceNamed(name)?.cost ?? Number.MAX_SAFE_INTEGER
  return [...new Set(needs)].sort((a, b) => cost(a) - cost(b) || (a < b ? -1 : 1))
}

/** False → true since the last decision; an event happens each time. */
function hasBecome({ rule, name, occurrence }: Judgement, { memory }: DecideInput): boolean {
  const before = Object.hasOwn(memory.rules, name) ? memory.rules[name] : undefined
  return occurrence !== undefined || !(before?.held === true && before.fingerprint === rule.fingerprint)
}

function traceOf(each: Judgement, { trace }: Judged, actions: ActionTrace[], input: DecideInput): RuleTrace {
  const { rule, key, file, occurrence, mode } = each
  const told: RuleTrace = {
    key,
    name: rule.name,
    file: file.path,
    line: rule.line,
    verdict: trace.verdict,
    became: trace.verdict === 'true' && hasBecome(each, input),
    fingerprint: rule.fingerprint,
    conditions: trace,
    actions,
  }
  if (occurrence !== undefined) told.event = occurrence
  if (mode !== 'act') told.mode = mode
  return told
}

/** Adds what a rule that holds asks for. */
function addWishes(wishes: RuleWish[], judgement: Judgement, input: DecideInput, view: View): void {
  const { rule, key, name, file, occurrence, request, keptOnly } = judgement
  const done =
    occurrence === undefined
      ? hasBecome(judgement, input)
        ? []
        : (input.memory.rules[name]?.done ?? [])
      : (input.memory.events?.[occurrence.id]?.[name] ?? [])
  const ofEvent = occurrence !== undefined
  for (const { action, args, line } of rule.actions) {
    if (keptOnly === true && request?.actions.includes(action) !== true) continue
    wishes.push({ action, args, line, key, rule: name, file, view, ofEvent, doneBefore: done.includes(action) })
  }
}

/** The head and the target branch that are judged, where they are known. */
function versionIn(view: View): EvaluatedVersion {
  const [head, target] = [view.fact('head'), view.fact('target_branch')]
  return {
    head: head.is === 'known' && typeof head.value === 'string' ? head.value : null,
    ...(target.is === 'known' && typeof target.value === 'string' ? { target: target.value } : {}),
  }
}

/** The decision, or the sources that are needed first, cheapest first. The same input gives the same result. */
export function decide(input: DecideInput): Decided {
  const decided = decideSettled(input)
  return 'decision' in decided && mustBeRead(input, decided.decision) ? { needs: [boundSource] } : decided
}

/** What was known before the merge request is read only rules out: where anything holds, or is kept, the service itself is asked. */
function mustBeRead(input: DecideInput, decision: Decision): boolean {
  const { memory, policy } = input
  if (!isGuessed(input) || policy?.mode === 'off') return false
  const { rules, calls, supposed = [], noted, settled } = decision
  if (rules.some(({ verdict }) => verdict === 'true') || calls.length + supposed.length > 0) return true
  return noted !== undefined || settled !== undefined || keepsAnything(memory)
}

/** Something is known of the merge request, though it was not read. */
function isGuessed({ stable, answers, mergeRequest }: DecideInput): boolean {
  return stable !== undefined && !Object.hasOwn(answers, boundSource) && !isProject(mergeRequest)
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
  // While a call may be under way, an answer to `why` may be what it is.
  if (mode !== 'act' || input.memory.pending !== undefined) return { decision: whole }
  const why = answerWhy(input, whole)
  if ('needs' in why) return { needs: cheapestFirst(why.needs) }
  return { decision: { ...whole, rules: [...whole.rules, ...why.rules], calls: [...whole.calls, ...why.calls] } }
}

/** The calls of `decide` without what explains them, for whoever only compares or sends them. */
export function decideCalls(input: DecideInput): { needs: SourceName[] } | { calls: Call[] } {
  // Who asks why is answered with the whole trace; what is pending is settled first; what is only guessed leads to no call.
  if (isGuessed(input) || input.memory.pending !== undefined || input.events.some(({ event }) => event.kind === 'note.create')) {
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
    supposed: observed.supposed,
    ...(changesAt === undefined ? {} : { changesAt }),
    ...againIn([...(again === undefined ? [] : [again]), ...observed.againInMs]),
  }
}

/** What is to be done, before it is told why. */
interface Planned {
  rules: readonly Judgement[]
  judging: JudgedRules
  /** What the rules ask for. */
  plan: Plan
  /** What is made of it: where Bellhop is turned off, what it holds is taken back instead. */
  made: Plan
  version: EvaluatedVersion
  held: HeldBack
  calls: Call[]
  offIgnored: string | undefined
}

/** As if only the rules of these modes were there. */
function planFor(input: DecideInput, modes: readonly Mode[]): { needs: SourceName[] } | Planned {
  const view = createView(input)
  const label = readOffLabel(input, view)
  if ('needs' in label) return label
  const off = turnedOff(input, label)
  const all = judgements(input)
  const rules = all.every(({ mode }) => modes.includes(mode)) ? all : all.filter(({ mode }) => modes.includes(mode))
  const version = versionIn(view)
  const judging = judgeRules(rules, input, view, version)
  const wishes: RuleWish[] = []
  const unsettled: SourceName[] = []
  const unknown: Judgement[] = []
  rules.forEach((each, place) => {
    const verdict = judging.verdicts[place]
    if (verdict === 'true') addWishes(wishes, each, input, judging.view(each))
    if (verdict !== 'unknown') return
    unsettled.push(...judging.judged(place).needs)
    unknown.push(each)
  })
  const plan = planCalls(wishes, input, view, restrainedByUnknown(unknown, input))
  // What is held lasts as long as a rule asks for it, and no rule asks where Bellhop is turned off.
  const made = off === undefined ? plan : planCalls([], input, view, new Map())
  // An approval is taken back only when it is certain that no rule asks for it: the plan of an unsettled decision is not asked for more.
  const needs = cheapestFirst(unsettled.length > 0 ? unsettled : [...plan.needs, ...made.needs])
  if (needs.length > 0) return { needs }
  const held = holdBack(input, plan.calls, eventsBy(rules), off)
  const calls = off === undefined || input.memory.pending !== undefined ? madeNow(made.calls, held) : withdrawalsFirst(made.calls)
  return { rules, judging, plan, made, version, held, calls, offIgnored: 'ignored' in label ? label.ignored : undefined }
}

/** Why Bellhop is turned off here, if it is. */
function turnedOff({ policy, offLabel }: DecideInput, label: Exclude<OffLabel, { needs: SourceName[] }>): string | undefined {
  if (policy?.mode === 'off') return 'the operator turned Bellhop off for this project'
  return label.isOff ? `the label ${offLabel} is on it` : undefined
}

/** Which event each key was judged for; looked up only where a call was made lately. */
function eventsBy(rules: readonly Judgement[]): EventOf {
  let events: Map<string, string | undefined> | undefined
  return (wanted) => {
    events ??= new Map(rules.map(({ key, occurrence }) => [key, occurrence?.id]))
    return events.get(wanted)
  }
}

function decideFor(input: DecideInput, modes: readonly Mode[]): Decided {
  const planned = planFor(input, modes)
  return 'needs' in planned ? planned : { decision: decisionOf(planned, input) }
}

function decisionOf({ rules, judging, plan, made, version, held, calls, offIgnored }: Planned, input: DecideInput): Decision {
  const judged = rules.map((_, place) => judging.judged(place))
  const actionsFor = actionsOf(plan.traces, made.withdrawn)
  const told = rules.map((each, place) => {
    const { asked, withdrawn } = actionsFor(each, judging.verdicts[place] as Verdict)
    return traceOf(each, judged[place] as Judged, [...tracesHeldBack(asked, each, held), ...withdrawn], input)
  })
  const { pause, waiting } = held
  return {
    rules: told,
    calls,
    answers: [],
    ...version,
    files: input.files.map(({ path, blob, commit }) => ({ path, blob, ...(commit === undefined ? {} : { commit }) })),
    ...(made.noted.length === 0 ? {} : { noted: made.noted }),
    ...(pause === undefined ? {} : { paused: pause.reason }),
    ...(offIgnored === undefined ? {} : { offIgnored }),
    ...(input.memory.uncertain === undefined ? {} : { uncertain: input.memory.uncertain.map(({ detail }) => detail) }),
    ...(isProject(input.mergeRequest) ? {} : changeOf(rules, judged)),
    ...againIn([
      ...plan.againInMs,
      ...judging.againInMs,
      ...(answersOfOtherVersions(input).length === 0 ? [] : [readAgainInMs]),
      ...(pause?.againInMs ?? [...waiting.values()].map(({ until }) => Math.max(1000, until - Date.parse(input.now)))),
    ]),
  }
}

/** When the first rule may change by itself. A rule for an event is judged once, unless its request stands or comes to stand. */
function changeOf(rules: readonly Judgement[], judged: readonly Judged[]): Pick<Decision, 'changesAt'> {
  let first: number | undefined
  for (const [index, { trace, changesAt }] of judged.entries()) {
    if (changesAt === undefined || (first !== undefined && changesAt >= first)) continue
    const { occurrence, request } = rules[index] ?? {}
    if (occurrence === undefined || request !== undefined || trace.verdict === 'true') first = changesAt
  }
  return first === undefined ? {} : { changesAt: new Date(first).toISOString() }
}

const againIn = (times: readonly number[]) => (times.length === 0 ? {} : { againInMs: Math.min(...times) })

/** What a rule's actions came to, in the order of the file, whatever the order of the calls, and what was taken back of them. */
function actionsOf(
  traces: Plan['traces'],
  withdrawn: readonly ActionTrace[],
): (judgement: Judgement, verdict: Verdict) => { asked: ActionTrace[]; withdrawn: ActionTrace[] } {
  const byKey = new Map<string, ActionTrace[]>()
  for (const { key, trace } of traces) {
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, [trace])
    else own.push(trace)
  }
  return ({ rule, key }, verdict) => {
    const own = verdict === 'true' ? (byKey.get(key) ?? []) : []
    const asked = own.length === 0 ? [] : rule.actions.flatMap(({ action }) => own.filter((each) => each.action === action))
    return { asked, withdrawn: withdrawn.filter((each) => rule.actions.some(({ action }) => action === each.action)) }
  }
}
