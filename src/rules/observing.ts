// What observing rules would do: all rules are decided again and again on the state that they suppose, and nothing is sent (DESIGN §4, Modes).
import { remember } from './remember.ts'
import { ruleName } from './standing.ts'
import { effectsOf } from './supposed-effects.ts'
import type { ActionTrace, Call, DecideInput, Decision, Memory, RuleTrace, SourceName } from './types.ts'

type Result = { needs: SourceName[] } | { decision: Decision }

/** Rules that follow one another further than this are not followed. */
const MOST_TURNS = 4

/** What observing rules came to, and the calls that they would have sent. */
export interface Observed {
  rules: RuleTrace[]
  supposed: Call[]
  againInMs: number[]
  changesAt: string[]
}

/** What is remembered after the calls, with what it was about rules that the decision leaves out. */
function memoryAfter(before: Memory, decision: Decision, now: string): Memory {
  const answers = decision.calls.map((call) => ({ call, status: 200, result: 'done' as const, at: now, tookMs: 0 }))
  const next = remember(before, { ...decision, answers })
  const judged = new Set(decision.rules.map(ruleName))
  const left = <T>(entries: Record<string, T>) => Object.fromEntries(Object.entries(entries).filter(([name]) => !judged.has(name)))
  const events = Object.entries(before.events ?? {}).map(([id, each]) => [id, { ...left(each), ...next.events?.[id] }] as const)
  const standing = (before.standing ?? []).filter(({ rule }) => !judged.has(rule))
  return {
    ...next,
    rules: { ...left(before.rules), ...next.rules },
    events: { ...next.events, ...Object.fromEntries(events) },
    standing: [...standing, ...(next.standing ?? [])],
  }
}

/** The input as it would be after the calls of a decision. */
function after(input: DecideInput, decision: Decision): DecideInput {
  return {
    ...input,
    memory: memoryAfter(input.memory, decision, input.now),
    suppose: [...(input.suppose ?? []), ...decision.calls.flatMap((call) => effectsOf(call, input.bot))],
  }
}

/** As the rule came out when it first held, with each action as it first came to a call. */
function toldOver(turns: readonly RuleTrace[]): RuleTrace {
  const told = turns.find((each) => each.verdict === 'true') ?? (turns.at(-1) as RuleTrace)
  const actions = told.actions.map((first): ActionTrace => {
    const all = turns.flatMap((each) => each.actions.filter(({ action }) => action === first.action))
    const call = all.find(({ result }) => result === 'call')
    return call === undefined ? first : { ...call, supposed: true }
  })
  return { ...told, actions }
}

/** `acting` is what is really sent: observing rules see the state after it. `decideAll` decides as if every rule acted. */
export function observe(
  input: DecideInput,
  acting: Decision,
  decideAll: (input: DecideInput) => Result,
): { needs: SourceName[] } | Observed {
  const turns: Decision[] = []
  let state = after(input, acting)
  while (turns.length < MOST_TURNS && turns.at(-1)?.calls.length !== 0) {
    const result = decideAll(state)
    if ('needs' in result) return result
    turns.push(result.decision)
    state = after(state, result.decision)
  }
  const all = turns.flatMap((each) => each.rules).filter((rule) => rule.mode === 'observe')
  const keys = [...new Set(all.map(({ key }) => key))]
  // What takes something back has no rule; where the whole project observes, that is not sent either.
  const everything = input.policy?.mode === 'observe'
  const isSupposed = ({ rules }: Call) => (everything && rules.length === 0) || rules.some((key) => keys.includes(key))
  const [first] = turns
  return {
    rules: keys.map((key) => toldOver(all.filter((rule) => rule.key === key))),
    supposed: turns.flatMap((each) => each.calls).filter(isSupposed),
    againInMs: first?.againInMs === undefined ? [] : [first.againInMs],
    changesAt: first?.changesAt === undefined ? [] : [first.changesAt],
  }
}
