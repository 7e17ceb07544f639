// What a merge request waits for: the cause that blocks the first rule that would merge or approve it (time figures).
import { actionNamed } from '../actions/index.ts'
import { ruleSet } from '../engine/conditions/rules-in-force.ts'
import { ruleName } from '../engine/memory/standing-requests.ts'
import { causeOf, type WaitingCause } from '../facts/definition/waiting-cause.ts'
import { factNamed } from '../facts/index.ts'
import { createView, type FactReader } from '../facts/reading/fact-view.ts'
import type { DecideInput, Decision, RuleTrace, Trace } from '../types.ts'

/**
 * The cause; undefined if there is none: no rule would merge or approve it, or something else also blocks each rule,
 * such as a missing label or a draft. Reads nothing.
 */
export function waitsFor(input: DecideInput, { rules, paused }: Decision): WaitingCause | undefined {
  if (paused !== undefined) return undefined
  const merging = new Set(
    ruleSet(input.files, input.policy).rules.flatMap(({ name, mode, rule }) =>
      mode === 'act' && rule.actions.some(({ action }) => mayMerge(action)) ? [name] : [],
    ),
  )
  const view = createView(input)
  for (const rule of rules) {
    const cause = merging.has(ruleName(rule)) ? causeOfRule(rule, view) : undefined
    if (cause !== undefined) return cause
  }
  return undefined
}

const mayMerge = (action: string) => actionNamed(action)?.limited === 'merge'

function causeOfRule({ verdict, conditions, actions }: RuleTrace, view: FactReader): WaitingCause | undefined {
  if (verdict !== 'true') return firstCause(blocking(conditions, view), view)
  const held = actions.find(({ action, result }) => mayMerge(action) && (result === 'blocked' || result === 'waits'))
  if (held?.waitsFor !== undefined) return held.waitsFor
  return held?.conditions === undefined ? undefined : firstCause(blocking(held.conditions, view), view)
}

/** The first cause, if each condition is one. Conditions that are only unknown count if nothing else blocks. */
function firstCause(blocked: readonly Trace[], view: FactReader): WaitingCause | undefined {
  const failed = blocked.filter(({ verdict }) => verdict !== 'unknown')
  const causes = (failed.length > 0 ? failed : blocked).map(({ condition }) => {
    const value = view.fact(condition)
    return causeOf(factNamed(condition)?.waitsFor, value.is === 'known' ? value.value : undefined)
  })
  return causes.includes(undefined) ? undefined : causes[0]
}

/** The conditions without children that block. Among alternatives, those of the first that only waits for causes. */
function blocking(trace: Trace, view: FactReader): Trace[] {
  const { verdict, condition, children = [] } = trace
  if (verdict === 'true') return []
  if (children.length === 0) return [trace]
  if (condition === 'not') return children.flatMap(leaves)
  const each = children.map((child) => blocking(child, view)).filter((blocked) => blocked.length > 0)
  if (condition !== 'any') return each.flat()
  return each.find((blocked) => firstCause(blocked, view) !== undefined) ?? each[0] ?? []
}

const leaves = (trace: Trace): Trace[] =>
  trace.children === undefined || trace.children.length === 0 ? [trace] : trace.children.flatMap(leaves)
