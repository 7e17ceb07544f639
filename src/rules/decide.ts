// Decide: what the rules say about one merge request, or what must be read before they can say it. Pure.
import { type Judged, judge } from './judge.ts'
import { planCalls } from './plan.ts'
import { sourceNamed } from './sources.ts'
import type { ActionTrace, DecideInput, Decision, Rule, RuleFileInForce, RuleTrace, SourceName } from './types.ts'
import { createView, type View } from './view.ts'
import type { RuleWish } from './wishes.ts'

export type { DecideInput, RuleFileInForce } from './types.ts'

interface RuleInForce {
  rule: Rule
  key: string
  file: RuleFileInForce
}

/** The operator's rules before the repository's, then file order. Two rules never share a key, whatever their files are called. */
function inOrder(files: readonly RuleFileInForce[]): RuleInForce[] {
  const ordered = [...files].sort((a, b) => Number(a.trust === 'repository') - Number(b.trust === 'repository'))
  const seen = new Map<string, number>()
  return ordered.flatMap((file) =>
    file.rules.rules.map((rule) => {
      const name = `${file.path}#${rule.name}`
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      return { rule, file, key: before === 0 ? name : `${name}#${before + 1}` }
    }),
  )
}

function cheapestFirst(needs: readonly SourceName[]): SourceName[] {
  const cost = (name: SourceName) => sourceNamed(name)?.cost ?? Number.MAX_SAFE_INTEGER
  return [...new Set(needs)].sort((a, b) => cost(a) - cost(b) || (a < b ? -1 : 1))
}

function traceOf({ rule, key, file }: RuleInForce, { trace }: Judged, input: DecideInput): RuleTrace {
  const before = Object.hasOwn(input.memory.rules, key) ? input.memory.rules[key] : undefined
  const stayed = before?.held === true && before.fingerprint === rule.fingerprint
  return {
    key,
    name: rule.name,
    file: file.path,
    line: rule.line,
    verdict: trace.verdict,
    became: trace.verdict === 'true' && !stayed,
    fingerprint: rule.fingerprint,
    conditions: trace,
    actions: [],
  }
}

/** What a rule that holds asks for. */
function wishesOf({ rule, key, file }: RuleInForce, trace: RuleTrace, input: DecideInput): RuleWish[] {
  if (trace.verdict !== 'true') return []
  const done = trace.became ? [] : (input.memory.rules[key]?.done ?? [])
  return rule.actions.map((wish) => ({ ...wish, key, file, doneBefore: done.includes(wish.action) }))
}

function headOf(view: View): string | null {
  const head = view.fact('head')
  return head.is === 'known' && typeof head.value === 'string' ? head.value : null
}

/** The decision, or the sources that are needed first, cheapest first. The same input gives the same result. */
export function decide(input: DecideInput): { needs: SourceName[] } | { decision: Decision } {
  const view = createView(input)
  const rules = inOrder(input.files)
  const judged = rules.map(({ rule }) => judge(rule.if, view))
  const traces = rules.map((each, index) => traceOf(each, judged[index] as Judged, input))
  const plan = planCalls(
    rules.flatMap((each, index) => wishesOf(each, traces[index] as RuleTrace, input)),
    input,
    view,
  )
  const unsettled = judged.flatMap((each) => each.needs)
  // An approval is taken back only when it is certain that no rule asks for it: the plan of an unsettled decision is not asked for more.
  const needs = cheapestFirst(unsettled.length > 0 ? unsettled : plan.needs)
  if (needs.length > 0) return { needs }
  return {
    decision: {
      rules: traces.map((trace, index) => ({ ...trace, actions: actionsOf(trace, rules[index] as RuleInForce, plan) })),
      calls: plan.calls,
      answers: [],
      head: headOf(view),
      files: input.files.map(({ path, blob }) => ({ path, blob })),
      ...(plan.againInMs.length === 0 ? {} : { againInMs: Math.min(...plan.againInMs) }),
    },
  }
}

function actionsOf(trace: RuleTrace, { rule }: RuleInForce, plan: ReturnType<typeof planCalls>): ActionTrace[] {
  const own = plan.traces.filter((each) => each.key === trace.key).map((each) => each.trace)
  // In the order of the file, whatever the order of the calls.
  const inFileOrder = rule.actions.flatMap(({ action }) => own.filter((each) => each.action === action))
  if (trace.verdict === 'true') return inFileOrder
  return plan.withdrawn.filter((each) => rule.actions.some(({ action }) => action === each.action))
}
