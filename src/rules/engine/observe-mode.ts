// What observing rules would do: decides again on the overridden state until nothing changes, and sends nothing.
import type {
  ActionTrace,
  Call,
  DecideInput,
  DecideResult,
  Decision,
  Memory,
  Override,
  RuleTrace,
  SourceName,
} from '../types.ts'
import { ruleName } from './memory/standing-requests.ts'
import { remember } from './update-memory.ts'

/** How many rounds of rules that trigger one another are followed. */
const MOST_ROUNDS = 4

/** The traces of observing rules, and the calls that they would have sent. */
export type ObserveResult = Exclude<ReturnType<typeof observe>, { needs: SourceName[] }>

/** The decision once all of its calls were done. */
export function allDone(decision: Decision, at: string): Decision {
  const responses = decision.calls.map((call) => ({ call, status: 200, result: 'done' as const, at, tookMs: 0 }))
  return { ...decision, responses }
}

/** The memory after the calls, including the rules that the decision leaves out. */
function memoryAfterCalls(before: Memory, decision: Decision, now: string): Memory {
  const next = remember(before, allDone(decision, now))
  const decided = new Set(decision.rules.map(ruleName))
  const left = <T>(entries: Record<string, T>) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !decided.has(name)))
  const events = Object.entries(before.events ?? {}).map(
    ([id, each]) => [id, { ...left(each), ...next.events?.[id] }] as const,
  )
  const standing = (before.standing ?? []).filter(({ rule }) => !decided.has(rule))
  return {
    ...next,
    rules: { ...left(before.rules), ...next.rules },
    events: { ...next.events, ...Object.fromEntries(events) },
    standing: [...standing, ...(next.standing ?? [])],
  }
}

function inputAfter(input: DecideInput, decision: Decision): DecideInput {
  return {
    ...input,
    memory: memoryAfterCalls(input.memory, decision, input.now),
    overrides: [...(input.overrides ?? []), ...overridesAfter(decision.calls)],
  }
}

/** The rule's first matched trace, with the first call of each action. */
function mergedTrace(rounds: readonly RuleTrace[]): RuleTrace {
  const trace = rounds.find((each) => each.verdict === 'true') ?? (rounds.at(-1) as RuleTrace)
  const actions = trace.actions.map((first): ActionTrace => {
    const all = rounds.flatMap((each) => each.actions.filter(({ action }) => action === first.action))
    const call = all.find(({ result }) => result === 'call')
    const { queue: _landsNothing, ...shown } = first
    return call === undefined ? shown : { ...call, dryRun: true }
  })
  return { ...trace, actions }
}

/** Observing rules see the state after the calls of `acting`. `decideAll` decides as if every rule acted. */
export function observe(input: DecideInput, acting: Decision, decideAll: (input: DecideInput) => DecideResult) {
  const rounds: Decision[] = []
  let state = inputAfter(input, acting)
  while (rounds.length < MOST_ROUNDS && rounds.at(-1)?.calls.length !== 0) {
    const result = decideAll(state)
    if ('needs' in result) return result
    rounds.push(result.decision)
    state = inputAfter(state, result.decision)
  }
  const all = rounds.flatMap((each) => each.rules).filter((rule) => rule.mode === 'observe')
  const keys = [...new Set(all.map(({ key }) => key))]
  // A withdrawal has no rule. If the whole project observes, it is not sent either.
  const everything = input.policy?.mode === 'observe'
  const isDryRun = ({ rules }: Call) => (everything && rules.length === 0) || rules.some((key) => keys.includes(key))
  const [first] = rounds
  return {
    rules: keys.map((key) => mergedTrace(all.filter((rule) => rule.key === key))),
    dryRunCalls: rounds.flatMap((each) => each.calls).filter(isDryRun),
    againInMs: first?.againInMs === undefined ? [] : [first.againInMs],
    changesAt: first?.changesAt === undefined ? [] : [first.changesAt],
  }
}

export function overridesAfter(calls: readonly Pick<Call, 'effects'>[]): Override[] {
  return calls.flatMap(({ effects = [] }) =>
    effects.map((effect): Override => {
      if (!('value' in effect)) return effect
      const { fact, value } = effect
      return { fact, is: { is: 'known', value, complete: true, remark: 'overridden' } }
    }),
  )
}
