// Counts for the new-rule limit: when each rule was first seen, and how often new rules acted in an hour.
import { isDeepStrictEqual } from 'node:util'
import type { Action } from '../../rules/actions/definition/action.ts'
import { actions } from '../../rules/actions/index.ts'
import { type RuleInForce, ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { isLimitedWhenNew, newRuleUses } from '../../rules/engine/limits/trust.ts'
import { ruleName } from '../../rules/engine/memory/standing-requests.ts'
import type { Decision, NewRuleLimit } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'

const hourMs = 60 * 60_000
const newForMs = 24 * hourMs
const limited = Object.values<Action>(actions).filter(isLimitedWhenNew)

/** ISO 8601, by the rule's fingerprint. */
type FirstSeenTimes = Record<string, string>
/** For each action: the start of its hour, and how often it was taken since. */
type UseCounts = Record<string, { since: string; times: number }>

const [seenName, usedName] = ['rules first seen', 'new-rule limit used']

/** The marks of a project that tell its state. */
export const newRuleMarks = [seenName, usedName]

/** A rule that is removed and added again is new again. */
async function newAmong(
  context: Context,
  project: number,
  rules: readonly RuleInForce[],
  known: FirstSeenTimes,
): Promise<string[]> {
  const now = context.now()
  const at = new Date(now).toISOString()
  const seenNow = (before: FirstSeenTimes = {}) =>
    Object.fromEntries(rules.map(({ rule }) => [rule.fingerprint, before[rule.fingerprint] ?? at]))
  const seen = seenNow(known)
  if (!isDeepStrictEqual(seen, known)) await context.journal.marks.change(project, seenName, seenNow)
  return rules.filter(({ rule }) => now - Date.parse(seen[rule.fingerprint] ?? at) < newForMs).map(({ name }) => name)
}

const withinHour = (used: UseCounts = {}, now: number): UseCounts =>
  Object.fromEntries(Object.entries(used).filter(([, { since }]) => now - Date.parse(since) < hourMs))

/**
 * The limit on a project's rules now; undefined if none applies. `marks`: those of `newRuleMarks`, as read before. All
 * processes share the counts. Throws JournalUnavailable.
 */
export async function newRuleLimitOf(
  context: Context,
  project: number,
  { files, policy }: Pick<RulesInForce, 'files' | 'policy'>,
  marks: Record<string, unknown>,
): Promise<NewRuleLimit | undefined> {
  const rules = ruleSet(files, policy).rules.filter(
    ({ mode, rule }) => mode === 'act' && rule.actions.some((each) => limited.some(({ name }) => name === each.action)),
  )
  if (policy.newRuleLimit === 0 || rules.length === 0) return undefined
  const newRules = await newAmong(context, project, rules, (marks[seenName] ?? {}) as FirstSeenTimes)
  if (newRules.length === 0) return undefined
  const used = withinHour(marks[usedName] as UseCounts | undefined, context.now())
  const full = Object.entries(used).filter(([, { times }]) => times >= policy.newRuleLimit)
  const until = (since: string) => new Date(Date.parse(since) + hourMs).toISOString()
  return {
    perHour: policy.newRuleLimit,
    newRules,
    full: Object.fromEntries(full.map(([name, { since }]) => [name, until(since)])),
  }
}

/** The rules that the project has now are new no longer. Throws JournalUnavailable. */
export async function allowNewRules({ journal }: Pick<Context, 'journal'>, project: number): Promise<void> {
  await journal.marks.change<FirstSeenTimes>(project, seenName, (before = {}) =>
    Object.fromEntries(Object.keys(before).map((each) => [each, new Date(0).toISOString()])),
  )
}

/** Counts what a decision is about to do. False: the limit is used up; decide again. Throws JournalUnavailable. */
export async function takeNewRuleUses(
  context: Context,
  project: number,
  decision: Decision,
  newRuleLimit: NewRuleLimit,
): Promise<boolean> {
  const uses = newRuleUses(decision, newRuleLimit, limited, ruleName)
  if (uses.size === 0) return true
  let taken = false
  await context.journal.marks.change<UseCounts>(project, usedName, (before) => {
    const used = withinHour(before, context.now())
    taken = [...uses.keys()].every((name) => (used[name]?.times ?? 0) < newRuleLimit.perHour)
    const since = new Date(context.now()).toISOString()
    const next = [...uses].map(([name, times]) => [
      name,
      { since: used[name]?.since ?? since, times: (used[name]?.times ?? 0) + times },
    ])
    return taken ? { ...used, ...Object.fromEntries(next) } : undefined
  })
  return taken
}
