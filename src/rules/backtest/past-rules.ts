// Whether the rules would have merged what somebody else merged; if not, the rule that came closest and what it lacked.

import accept from '../actions/accept.ts'
import { type AcceptArgs, requiredFor, withinRule } from '../actions/definition/accept-conditions.ts'
import { acceptMemory, changeAccept } from '../actions/definition/accept-memory.ts'
import { actionNamed } from '../actions/index.ts'
import { ruleSet } from '../engine/conditions/rules-in-force.ts'
import { mayMerge } from '../engine/limits/trust.ts'
import { ruleName } from '../engine/memory/standing-requests.ts'
import { isTraceOf } from '../engine/triggers.ts'
import { emptyMemory } from '../engine/update-memory.ts'
import { blockerIn, sayBlocker } from '../explain/explain.ts'
import { factNamed } from '../facts/index.ts'
import { createView } from '../facts/reading/fact-view.ts'
import { requiredIn } from '../language/conditions.ts'
import { globMatcher } from '../language/patterns/patterns.ts'
import { deniedBy } from '../language/policy.ts'
import { cut } from '../language/values/wording.ts'
import { knownValue } from '../testing/overrides.ts'
import type { Actor, Condition, DecideInput, Decision, Rule, RuleTrace, Trace, Verdict } from '../types.ts'

/** The rule that came closest; `unknown`: what cannot be known for that moment. If nothing failed, it may allow it. */
export interface PastRules {
  rule: string
  failed: string[]
  unknown: string[]
}

const merges = ({ action }: { action: string }) => action === accept.name
const mostConditions = 10

/** The rules that may merge. */
export const mergingRules = ({ files, policy }: Pick<DecideInput, 'files' | 'policy'>) =>
  ruleSet(files, policy).of.merge_request.filter(
    ({ mode, rule, file }) => mode === 'act' && rule.actions.some(merges) && !deniedBy(policy, file, accept),
  )

/**
 * The part of the input that tells whether the rules would have merged it: only what merges or restrains a merge, all
 * conditions at once, and events as if `by` had caused them.
 */
export function mergeOnly(
  { files, policy, memory, mergeRequest }: DecideInput,
  { by, target, at }: { by: Actor; target: string; at: string },
) {
  const acting = ruleSet(files, policy).of.merge_request.filter(({ mode }) => mode === 'act')
  const commands = acting
    .flatMap(({ rule }) => requiredIn(rule.if))
    .flatMap(({ fact, expected }) => (fact === 'command' ? [expected].flat() : []))
  const isNamed = policy?.mergesInto?.some((glob) => globMatcher(glob, 'path')(target)) === true
  const intoDefault: Condition = { fact: 'default_branch', operator: 'equals', expected: target }
  const parts = files.map((file) => {
    const further = file.trust === 'operator' || isNamed ? [] : [intoDefault]
    const rules = acting.flatMap((each) => (each.file === file ? mergePart(each.rule, further) : []))
    return { ...file, rules: { ...file.rules, rules } }
  })
  const { pushes, approvals, oldApprovals, activeAt, standing } = memory
  const known = { command: commands, merge_when_pipeline_succeeds: false, merge_train: 'none' }
  return {
    files: parts,
    memory: changeAccept(
      { ...emptyMemory(), pushes, approvals, oldApprovals, activeAt, standing },
      { queueRemoval: acceptMemory(memory).queueRemoval },
    ),
    events: [{ id: 'merge', event: { ...mergeRequest, kind: 'note.create', actor: by, at } }],
    now: at,
    overrides: Object.entries(known).map(([fact, value]) => ({ fact, is: knownValue(value) })),
  }
}

/** None for a rule without either action. What the service would do later, it has not done. */
function mergePart({ on, actions, ...rule }: Rule, further: readonly Condition[]): Rule[] {
  const kept = actions.flatMap((each) => {
    if (!merges(each)) return actionNamed(each.action)?.restrains?.actions.includes(accept.name) ? [each] : []
    const { when: _when, ...args } = withinRule(each.args as AcceptArgs, rule.if)
    return [{ ...each, args }]
  })
  const own = kept.filter(merges).flatMap(({ args }) => [...further, ...requiredFor(args as AcceptArgs)])
  const part = { ...rule, on: on && [{ kind: 'note.create' }], if: { all: [rule.if, ...own] }, actions: kept }
  return kept.length === 0 ? [] : [part]
}

/** Undefined if the rules would have merged it, or none is for it: author, branches or project rule each out. */
export function pastRules(decision: Decision, input: DecideInput): PastRules | undefined {
  const viewed = { ...input, view: createView(input) }
  const found = decision.rules.flatMap((rule) => {
    const of = mergingRules(input).find(({ name }) => name === ruleName(rule))
    const isFor = rule.verdict !== 'false' || !isTraceOf(rule.conditions, isFixed)
    return of !== undefined && isFor ? [lacks(rule, mayMerge(of.file, viewed))] : []
  })
  const distance = ({ failed, unknown }: PastRules) => failed.length + unknown.length / 1_000
  const [nearest] = found.sort((one, other) => distance(one) - distance(other))
  return nearest === undefined || distance(nearest) === 0 ? undefined : nearest
}

const isFixed = (fact: string) =>
  fact === 'target_branch' || fact === 'default_branch' || factNamed(fact)?.stable === true

/** Trust counts as given: a person must merge what changes the rules. */
function lacks({ name, verdict, conditions, actions }: RuleTrace, trust: ReturnType<typeof mayMerge>): PastRules {
  const own = actions.find(merges)
  const blocking = [conditions, own?.conditions ?? []].flat().flatMap(unmet)
  const say = (is: Verdict) => blocking.filter((each) => each.verdict === is).map(({ text }) => text)
  const isOfTrust = 'reason' in trust && trust.reason === own?.detail
  const isRefused = verdict === 'true' && blocking.length === 0 && own?.result !== 'call' && !isOfTrust
  const failed = isRefused ? [`${accept.name}: ${own?.detail}`] : say('false')
  return { rule: cut(name), failed: failed.slice(0, mostConditions), unknown: say('unknown').slice(0, mostConditions) }
}

function unmet(trace: Trace): { verdict: Verdict; text: string }[] {
  const { condition, verdict, children = [] } = trace
  if (condition === 'all' && verdict !== 'true') return children.flatMap(unmet)
  const found = blockerIn(trace)
  // The verdict does not depend on what was not read.
  if (found === undefined || found.actual === 'not read') return []
  return [{ verdict, text: cut(sayBlocker({ ...found, toFix: undefined })) }]
}
