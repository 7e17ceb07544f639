// Decides what the rules do about one merge request, or names the sources to read first. Pure.
import { actionNamed } from '../actions/index.ts'
import { answerCommands } from '../explain/command-answers.ts'
import { publicMissing } from '../explain/public-text.ts'
import { answerWhy } from '../explain/why.ts'
import { knownIn } from '../facts/definition/fact.ts'
import { mergeRequestSource, sourceNamed, sources } from '../facts/definition/sources.ts'
import { isProject } from '../facts/definition/subject-ref.ts'
import { answersOfOtherVersions, createView, readAgainInMs } from '../facts/reading/fact-view.ts'
import { createPatternBudgets } from '../language/patterns/pattern-budget.ts'
import type { Mode } from '../language/values/rule-types.ts'
import type { Call, DecideInput, DecideResult, Decision, RuleTrace, SourceName } from '../types.ts'
import type { ConditionResult } from './conditions/evaluate-condition.ts'
import { evaluateRules, restrainedByUnknown } from './conditions/evaluate-rules.ts'
import { type RuleEvaluation, ruleEvaluations, ruleSet, withValues } from './conditions/rules-in-force.ts'
import { callsToMake, deferCalls, tracesWithDeferred, withdrawalsFirst } from './limits/deferred-calls.ts'
import { readOffLabel } from './limits/trust.ts'
import { evaluatedVersion, ruleName } from './memory/standing-requests.ts'
import { type ObserveResult, observe } from './observe-mode.ts'
import { actionTraces, earliestChange, hasBecome, planCalls, ruleTrace } from './plan.ts'
import type { RequestedAction } from './requested-actions.ts'
import { memoryAfterSettling, settlePendingCall } from './update-memory.ts'

export type { DecideInput, RuleFileInForce } from '../types.ts'

function cheapestFirst(needs: readonly SourceName[]): SourceName[] {
  const cost = (name: SourceName) => sourceNamed(name)?.cost ?? Number.MAX_SAFE_INTEGER
  return [...new Set(needs)].sort((a, b) => cost(a) - cost(b) || (a < b ? -1 : 1))
}

const isPlannedUnmatched = ({ action }: { action: string }) => actionNamed(action)?.when === 'unmatched_too'

/** The requests of a rule. A rule that did not match requests only the actions that are planned nevertheless. */
function requestsOf(
  evaluation: RuleEvaluation,
  { memory }: DecideInput,
  { view, texts, matches, missing }: Pick<RequestedAction, 'view' | 'texts' | 'matches' | 'missing'>,
): RequestedAction[] {
  const { rule, key, name, file, occurrence, request, standingOnly } = evaluation
  const done =
    occurrence !== undefined
      ? (memory.events?.[occurrence.id]?.[name] ?? [])
      : hasBecome(evaluation, memory)
        ? []
        : (memory.rules[name]?.done ?? [])
  const ofEvent = occurrence !== undefined
  return rule.actions
    .filter(({ action }) => standingOnly !== true || request?.actions.includes(action) === true)
    .filter((each) => matches || isPlannedUnmatched(each))
    .map(({ action, args, refused }) => ({
      action,
      args,
      refused,
      key,
      rule: name,
      conditions: rule.if,
      file,
      view,
      texts,
      matches,
      missing,
      ofEvent,
      doneBefore: done.includes(action),
      dropped: ofEvent ? undefined : memory.rules[name]?.dropped?.[action],
    }))
}

/** The decision, or the sources that it surely still needs, cheapest first. The same input gives the same result. */
export function decide(given: DecideInput): DecideResult {
  const input = { ...given, budgets: given.budgets ?? createPatternBudgets() }
  const { memory, answers } = input
  // The outcome of the pending call is found first: the rules decide on the memory after it.
  const settled = memory.pending === undefined ? undefined : settlePendingCall({ ...input, view: createView(input) })
  if (settled !== undefined && 'needs' in settled) return { needs: cheapestFirst(settled.needs) }
  const after = settled === undefined ? input : { ...input, memory: memoryAfterSettling(memory, settled) }
  const result = decideWithObservers(after)
  if ('needs' in result) return result
  // Approvals are read even if no rule asks for them: who revoked an old one may approve again.
  const isRead = (name: SourceName) => Object.hasOwn(answers, name)
  if (memory.oldApprovals !== undefined && isRead(mergeRequestSource) && !isRead(sources.approvals.name))
    return { needs: [sources.approvals.name] }
  return settled === undefined ? result : { decision: { ...result.decision, settled } }
}

function decideWithObservers(input: DecideInput): DecideResult {
  const acting = decideInModes(input, ['act', 'off'])
  if ('needs' in acting) return acting
  let { decision } = acting
  if (ruleSet(input.files, input.policy).hasObservers) {
    const observed = observe(input, decision, (each) => decideInModes(each, ['act', 'observe']))
    if ('needs' in observed) return { needs: cheapestFirst(observed.needs) }
    decision = withObserved(input, decision, observed)
  }
  // The pending call may itself be an answer to `why`.
  if ((input.policy?.mode ?? 'act') !== 'act' || input.memory.pending !== undefined) return { decision }
  const answers = [answerWhy(input, decision), answerCommands(input, decision)]
  const needs = answers.flatMap((each) => ('needs' in each ? each.needs : []))
  if (needs.length > 0) return { needs: cheapestFirst(needs) }
  const given = answers.flatMap((each) => ('needs' in each ? [] : [each]))
  const rules = [...decision.rules, ...given.flatMap((each) => each.rules)]
  // The merge stays last.
  const calls = [...decision.calls, ...given.flatMap((each) => each.calls)]
  const place = ({ revalidate }: Call) => (revalidate === true ? 1 : 0)
  return { decision: { ...decision, rules, calls: calls.sort((a, b) => place(a) - place(b)) } }
}

/** The calls of `decide` without the traces, for callers that only compare or send them. */
export function decideCalls(given: DecideInput): { needs: SourceName[] } | { calls: Call[] } {
  const input = { ...given, budgets: given.budgets ?? createPatternBudgets() }
  // An answer to `why` needs the traces, and a pending call comes first.
  if (input.memory.pending !== undefined || input.events.some(({ event }) => event.kind === 'note.create')) {
    const result = decide(input)
    return 'needs' in result ? result : { calls: result.decision.calls }
  }
  const plan = planInModes(input, ['act', 'off'])
  return 'needs' in plan ? plan : { calls: plan.calls }
}

function withObserved(input: DecideInput, decision: Decision, observed: ObserveResult): Decision {
  const places = new Map(ruleSet(input.files, input.policy).rules.map(({ name }, index) => [name, index]))
  const place = (trace: RuleTrace) => places.get(ruleName(trace)) ?? -1
  return {
    ...decision,
    rules: [...decision.rules, ...observed.rules].sort((left, right) => place(left) - place(right)),
    dryRunCalls: observed.dryRunCalls,
    changesAt: [decision.changesAt ?? [], observed.changesAt].flat().sort()[0],
    againInMs: shortest([decision.againInMs ?? [], observed.againInMs].flat()),
  }
}

type DecisionPlan = Exclude<ReturnType<typeof planInModes>, { needs: SourceName[] }>

function planInModes(given: DecideInput, modes: readonly Mode[]) {
  const view = createView(given)
  const input = { ...given, view }
  const label = readOffLabel(input)
  if ('needs' in label) return label
  const { policy, offLabel, memory } = input
  const isOffByPolicy = policy?.mode === 'off'
  const byLabel = label.isOff ? `the label ${offLabel} is on it` : undefined
  const off = isOffByPolicy ? 'the operator turned Bellhop off for this project' : byLabel
  const all = ruleEvaluations(input)
  const inModes = all.every(({ mode }) => modes.includes(mode)) ? all : all.filter(({ mode }) => modes.includes(mode))
  const version = evaluatedVersion(view)
  const evaluated = evaluateRules(inModes, input, view, version)
  const rules = inModes.map((each, place) =>
    evaluated.verdicts[place] === 'true' ? withValues(each, evaluated.texts(each)) : each,
  )
  const requests: RequestedAction[] = []
  const unread: SourceName[] = []
  const unknown: RuleEvaluation[] = []
  const toTell: SourceName[] = []
  const isOpen = knownIn(view.fact('state')) === 'opened'
  rules.forEach((each, place) => {
    const verdict = evaluated.verdicts[place]
    const matches = verdict === 'true'
    const [own, texts] = [evaluated.view(each), evaluated.texts(each)]
    const isPlanned = each.mode !== 'off' && each.rule.actions.some(isPlannedUnmatched)
    if (matches) requests.push(...requestsOf(each, input, { view: own, texts, matches }))
    else if (isPlanned) {
      const missing = () => publicMissing(evaluated.trace(place).trace, each.file, own, input)
      requests.push(...requestsOf(each, input, { view: own, texts, matches, missing }))
      if (isOpen && off === undefined) toTell.push(...evaluated.unread(each))
    }
    if (verdict !== 'unknown') return
    // What is cheapest may make the others needless.
    unread.push(...cheapestFirst(evaluated.trace(place).needs).slice(0, 1))
    unknown.push(each)
  })
  const requestedPlan = planCalls(requests, input, restrainedByUnknown(unknown))
  // A held action lasts as long as a rule requests it, and no rule does if Bellhop is turned off. If a label turns it
  // off, required statuses are not success; if the operator does, nothing is done.
  const whileOff = isOffByPolicy ? [] : requests.filter(isPlannedUnmatched)
  const unmatched = whileOff.map((request) => ({ ...request, matches: false, missing: undefined }))
  // What is carried out: if Bellhop is turned off, it withdraws what it holds.
  const effectivePlan = off === undefined ? requestedPlan : planCalls(unmatched, input, new Map())
  // An approval is withdrawn only when it is certain that no rule requests it, so unknown rules are read first.
  const needs = cheapestFirst(unread.length > 0 ? unread : [...requestedPlan.needs, ...effectivePlan.needs, ...toTell])
  if (needs.length > 0) return { needs }
  const deferred = deferCalls(
    input,
    requestedPlan.calls,
    (key) => rules.find((each) => each.key === key)?.occurrence?.id,
    off,
  )
  const calls =
    off === undefined || memory.pending !== undefined
      ? callsToMake(effectivePlan.calls, deferred)
      : withdrawalsFirst(effectivePlan.calls)
  const offIgnored = 'ignored' in label ? label.ignored : undefined
  return { rules, evaluated, requestedPlan, effectivePlan, version, deferred, calls, offIgnored }
}

function decideInModes(input: DecideInput, modes: readonly Mode[]): DecideResult {
  const plan = planInModes(input, modes)
  return 'needs' in plan ? plan : { decision: toDecision(plan, input) }
}

function toDecision(
  { rules, evaluated, requestedPlan, effectivePlan, version, deferred, calls, offIgnored }: DecisionPlan,
  input: DecideInput,
): Decision {
  const results = rules.map((_, place) => evaluated.trace(place))
  const tracesFor = actionTraces(requestedPlan.traces, effectivePlan.withdrawn)
  const traces = rules.map((each, place) => {
    const { requested, withdrawn } = tracesFor(each)
    const actions = [...tracesWithDeferred(requested, each, deferred), ...withdrawn]
    return ruleTrace(each, results[place] as ConditionResult, actions, input.memory)
  })
  const { pause, waiting } = deferred
  return {
    rules: traces,
    calls,
    responses: [],
    ...version,
    files: input.files.map(({ path, blob, commit, broken }) => ({ path, blob, commit, broken: broken || undefined })),
    noticed: effectivePlan.noticed.length === 0 ? undefined : effectivePlan.noticed,
    paused: pause?.reason,
    offIgnored,
    uncertain: input.memory.uncertain?.map(({ detail }) => detail),
    changesAt: isProject(input.mergeRequest) ? undefined : earliestChange(rules, results, requestedPlan.changesAt),
    againInMs: shortest([
      ...requestedPlan.againInMs,
      ...(answersOfOtherVersions(input).length === 0 ? [] : [readAgainInMs]),
      ...(pause?.againInMs ?? [...waiting.values()].map(({ until }) => Math.max(1000, until - Date.parse(input.now)))),
    ]),
  }
}

const shortest = (times: readonly number[]) => (times.length === 0 ? undefined : Math.min(...times))
