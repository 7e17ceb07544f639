// What is remembered of a decision. Pure: gives new memory, never changes the old.
import { actionNamed } from './plan.ts'
import type { Answer, Decision, Memory, RuleTrace } from './types.ts'

/** The memory of a merge request that was never judged. */
export function emptyMemory(): Memory {
  return { rules: {}, pushes: [] }
}

/** The call's effect is there: it was done, or it was so already. */
function took(answer: Answer): boolean {
  return answer.result === 'done' || answer.result === 'already'
}

/** Whether a one-way action is done: by its calls, or because nothing was left to do. */
function isDone(action: RuleTrace['actions'][number], key: string, decision: Decision): boolean {
  if (actionNamed(action.action)?.oneWay !== true) return false
  if (action.result === 'nothing to do' || action.result === 'done before') return true
  if (action.result !== 'call') return false
  const mine = decision.calls.filter((call) => call.action === action.action && call.rules.includes(key))
  const answers = decision.answers.filter((answer) => answer.call.action === action.action && answer.call.rules.includes(key))
  return mine.length > 0 && answers.filter(took).length >= mine.length
}

function rememberRule(
  rule: RuleTrace,
  decision: Decision,
  before: Memory['rules'][string] | undefined,
): Memory['rules'][string] | undefined {
  const { fingerprint } = rule
  // Unknown is not false: a source that cannot be read for a while must not make the rule become true again afterwards.
  if (rule.verdict === 'unknown') return before
  if (rule.verdict === 'false') return { fingerprint, held: false, done: [] }
  const kept = rule.became ? [] : (before?.done ?? [])
  const now = rule.actions.filter((action) => isDone(action, rule.key, decision)).map((action) => action.action)
  return { fingerprint, held: true, done: [...new Set([...kept, ...now])] }
}

/** The memory after a decision whose answers are in. Rules that are no longer in force are forgotten. */
export function remember(memory: Memory, decision: Decision): Memory {
  const rules = decision.rules.flatMap((rule) => {
    const before = Object.hasOwn(memory.rules, rule.key) ? memory.rules[rule.key] : undefined
    const after = rememberRule(rule, decision, before)
    return after === undefined ? [] : [[rule.key, after] as const]
  })
  const next: Memory = { ...memory, rules: Object.fromEntries(rules) }
  return decision.answers
    .filter((answer) => took(answer) || answer.result === 'ambiguous')
    .reduce((each, answer) => actionNamed(answer.call.action)?.remember?.(each, answer.call, took(answer)) ?? each, next)
}
