// Whether the rules would have merged what somebody else merged; if not, the rule that came closest and what it lacked.
import { type AcceptArgs, requiredFor, withinRule } from '../actions/definition/accept-conditions.ts'
import { acceptMemory, changeAccept } from '../actions/definition/accept-memory.ts'
import { actionNamed } from '../actions/index.ts'
import { NOT_READ } from '../engine/conditions/evaluate-condition.ts'
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
import { cut } from '../language/values/wording.ts'
import { knownValue } from '../testing/overrides.ts'
import type {
  Actor,
  Condition,
  DecideInput,
  Decision,
  Memory,
  Override,
  Rule,
  RuleFileInForce,
  Trace,
} from '../types.ts'
import { thorough } from './totals.ts'

/** `unknown`: conditions that cannot be known for that moment. Nothing failed: the rule may have allowed it. */
export interface PastRules {
  /** The rule that came closest. */
  rule: string
  failed: string[]
  unknown: string[]
}

type Rules = Pick<DecideInput, 'files' | 'policy'>

const merges = ({ action }: { action: string }) => action === 'accept'
const mostConditions = 10
const longestCondition = 200

/** Whether a rule that acts merges. */
export const hasMergingRule = ({ files, policy }: Rules): boolean => merging({ files, policy }).size > 0

/** The names of the rules that act and merge. */
const merging = ({ files, policy }: Rules): Set<string> =>
  new Set(
    ruleSet(files, policy).of.merge_request.flatMap(({ name, mode, rule }) =>
      mode === 'act' && rule.actions.some(merges) ? [name] : [],
    ),
  )

/**
 * The part of a decision's input that tells whether the rules would have merged it: only what merges or restrains a
 * merge, all conditions at once, and events as if `by` had caused them.
 */
export function mergeOnly(
  { files, policy, memory, mergeRequest: { project, iid } }: DecideInput,
  { by, target, at }: { by: Actor; target: string; at: string },
): Pick<DecideInput, 'files' | 'memory' | 'events' | 'now'> & { overrides: Override[] } {
  const { pushes, approvals, oldApprovals, activeAt, standing } = memory
  const event = { kind: 'note.create', project, iid, actor: by, at }
  const intoTarget = (file: RuleFileInForce): Condition[] =>
    file.trust === 'operator' || policy?.mergesInto?.some((glob) => globMatcher(glob, 'path')(target))
      ? []
      : [{ fact: 'default_branch', operator: 'equals', expected: target }]
  const acting = ruleSet(files, policy).of.merge_request.filter(({ mode }) => mode === 'act')
  const ofFile = (file: RuleFileInForce) =>
    acting.flatMap((each) => (each.file === file ? mergePart(each.rule, intoTarget(file), event.kind) : []))
  const commands = acting.flatMap(({ rule }) =>
    requiredIn(rule.if).flatMap(({ fact, expected }) => (fact === 'command' ? [expected].flat() : [])),
  )
  const { queueRemoval } = acceptMemory(memory)
  const fresh: Memory = { ...emptyMemory(), pushes, approvals, oldApprovals, activeAt, standing }
  return {
    files: thorough(files.map((file) => ({ ...file, rules: { ...file.rules, rules: ofFile(file) } }))),
    memory: queueRemoval === undefined ? fresh : changeAccept(fresh, { queueRemoval }),
    events: [{ id: 'merge', event }],
    now: at,
    overrides: [
      { fact: 'command', is: knownValue(commands) },
      { fact: 'merge_when_pipeline_succeeds', is: knownValue(false) },
      { fact: 'merge_train', is: knownValue('none') },
    ],
  }
}

/** The rule with what merges and what restrains a merge, which the service does not do later: none if it has neither. */
function mergePart(rule: Rule, conditions: readonly Condition[], kind: string): Rule[] {
  const actions = rule.actions.flatMap((each) => {
    if (!merges(each)) return actionNamed(each.action)?.restrains?.actions.includes('accept') ? [each] : []
    const { when: _when, ...args } = withinRule(each.args as AcceptArgs, rule.if)
    return [{ ...each, args }]
  })
  const own = actions.filter(merges).flatMap(({ args }) => requiredFor(args as AcceptArgs))
  const all = actions.some(merges) ? [rule.if, ...conditions, ...own] : [rule.if]
  if (actions.length === 0) return []
  return [{ ...rule, on: rule.on && [{ kind }], if: { all }, actions }]
}

/** Undefined if the rules would have merged it, or none is for it. */
export function pastRules(decision: Decision, input: DecideInput): PastRules | undefined {
  const names = merging(input)
  const considered = decision.rules.filter((rule) => names.has(ruleName(rule)) && !isRuledOut(rule.conditions))
  const found = considered.map((rule) => ({ rule: rule.name, ...lacks(rule, input) }))
  if (found.some(({ failed, unknown }) => failed.length + unknown.length === 0)) return undefined
  const [nearest] = found.sort((one, other) => distance(one) - distance(other))
  if (nearest === undefined) return undefined
  const short = (texts: string[]) => texts.slice(0, mostConditions).map((each) => cut(each, longestCondition))
  return { rule: cut(nearest.rule, longestCondition), failed: short(nearest.failed), unknown: short(nearest.unknown) }
}

const distance = ({ failed, unknown }: PastRules) => failed.length + unknown.length / 1_000

/** What nobody changes to have a rule merge it: a rule that it rules out is not for this merge request. */
const isFixed = (fact: string) =>
  fact === 'target_branch' || fact === 'default_branch' || factNamed(fact)?.stable === true
const isRuledOut = (trace: Trace) => trace.verdict === 'false' && isTraceOf(trace, isFixed)

function lacks(rule: Decision['rules'][number], input: DecideInput): Omit<PastRules, 'rule'> {
  const own = rule.actions.find(merges)
  const blocking = [rule.conditions, ...(own?.conditions === undefined ? [] : [own.conditions])].flatMap(unmet)
  const say = (verdict: Trace['verdict']) =>
    blocking.flatMap((each) => (each.verdict === verdict ? sayUnmet(each) : []))
  const isBlocked = rule.verdict === 'true' && blocking.length === 0 && own?.result !== 'call'
  const refusal = isBlocked && !mustBePerson(rule, own?.detail, input) ? [`accept: ${own?.detail}`] : []
  return { failed: [...say('false'), ...refusal], unknown: say('unknown') }
}

/** Whether only trust keeps the rule from it, as where it changes the rules: then a person must merge it. */
function mustBePerson(rule: Decision['rules'][number], detail: string | undefined, input: DecideInput): boolean {
  const file = ruleSet(input.files, input.policy).rules.find(({ name }) => name === ruleName(rule))?.file
  const trust = file && mayMerge(file, { ...input, view: createView(input) })
  return trust !== undefined && 'may' in trust && !trust.may && trust.reason === detail
}

/** Without the two `not` that have all conditions evaluated. */
function unmet(trace: Trace): Trace[] {
  const { condition, verdict, children = [] } = trace
  if (verdict === 'true') return []
  const [inner] = children
  const twice = condition === 'not' && inner?.condition === 'not' ? inner.children?.[0] : undefined
  if (twice !== undefined) return unmet(twice)
  return condition === 'all' && children.length > 0 ? children.flatMap(unmet) : [trace]
}

function sayUnmet(trace: Trace): string[] {
  const found = blockerIn(trace)
  return found === undefined || found.actual === NOT_READ ? [] : [sayBlocker({ ...found, toFix: undefined })]
}
