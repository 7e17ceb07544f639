// What is remembered of a decision. Pure: gives new memory, never changes the old.
import { isOf } from './one-update.ts'
import { actionNamed } from './plan.ts'
import type { Answer, Decision, Memory, RuleTrace, StandingRequest } from './types.ts'

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
  const mine = decision.calls.filter((call) => isOf(call, action.action) && call.rules.includes(key))
  const answers = decision.answers.filter((answer) => isOf(answer.call, action.action) && answer.call.rules.includes(key))
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

/** What an event rule has done for its event; an attempt counts, because an event is acted on once. */
function triedFor({ key, actions }: RuleTrace, decision: Decision): string[] {
  const tried = actions.filter(({ action, result }) => {
    // What is kept as a standing request is judged as state.
    if (result === 'waits' || actionNamed(action)?.standing === true) return false
    if (result !== 'call') return true
    const mine = decision.calls.filter((call) => isOf(call, action) && call.rules.includes(key))
    const settled = decision.answers.filter(
      (answer) => isOf(answer.call, action) && answer.call.rules.includes(key) && answer.result !== 'moved' && answer.result !== 'not now',
    )
    return settled.length >= mine.length
  })
  return tried.map(({ action }) => action)
}

/** `<file>#<rule>`, without the event. */
function ruleName({ key, event }: RuleTrace): string {
  return event === undefined ? key : key.slice(0, -event.id.length - 1)
}

/** Of the events that are still in the mailbox; those that are gone cannot come again. */
function rememberEvents({ events = {} }: Memory, decision: Decision): NonNullable<Memory['events']> {
  const next: NonNullable<Memory['events']> = {}
  for (const rule of decision.rules) {
    const { event } = rule
    if (event === undefined) continue
    const name = ruleName(rule)
    const before = events[event.id]?.[name] ?? []
    const now = rule.verdict === 'true' ? triedFor(rule, decision) : []
    const done = [...new Set([...before, ...now])]
    if (done.length > 0) next[event.id] = { ...next[event.id], [name]: done }
  }
  return next
}

/** Requests of events stay while their head does, until they are fulfilled. */
function rememberStanding(memory: Memory, decision: Decision): StandingRequest[] {
  const { head } = decision
  const ended = decision.rules.some(({ actions }) =>
    actions.some(({ action, result }) => actionNamed(action)?.endsStanding === true && (result === 'call' || result === 'nothing to do')),
  )
  if (ended) return []
  const standing = (name: string): boolean => actionNamed(name)?.standing === true
  return decision.rules.flatMap((rule) => {
    const { event } = rule
    if (event === undefined || head === null) return []
    const name = ruleName(rule)
    const before = memory.standing?.find((each) => each.rule === name && each.occurrence.id === event.id)
    const wished = rule.verdict === 'true' && rule.actions.some(({ action }) => standing(action))
    const isNew = before === undefined && wished
    const over = rule.actions.some(({ action, result }) => standing(action) && isFulfilled(action, result, rule, decision))
    if (over || (before !== undefined && before.head !== head) || (before === undefined && !isNew)) return []
    return [{ rule: name, fingerprint: rule.fingerprint, head, occurrence: event }]
  })
}

function isFulfilled(action: string, result: RuleTrace['actions'][number]['result'], { key }: RuleTrace, decision: Decision): boolean {
  if (result === 'nothing to do') return true
  const mine = decision.answers.filter((answer) => isOf(answer.call, action) && answer.call.rules.includes(key) && took(answer))
  return result === 'call' && mine.some(({ call }) => actionNamed(action)?.fulfils?.(call) === true)
}

/** The memory after a decision whose answers are in. Rules that are no longer in force are forgotten. */
export function remember(memory: Memory, decision: Decision): Memory {
  const rules = decision.rules.flatMap((rule) => {
    if (rule.event !== undefined) return []
    const before = Object.hasOwn(memory.rules, rule.key) ? memory.rules[rule.key] : undefined
    const after = rememberRule(rule, decision, before)
    return after === undefined ? [] : [[rule.key, after] as const]
  })
  const { events: _events, standing: _standing, ...kept } = memory
  const events = rememberEvents(memory, decision)
  const standing = rememberStanding(memory, decision)
  const next: Memory = {
    ...kept,
    rules: Object.fromEntries(rules),
    ...(Object.keys(events).length === 0 ? {} : { events }),
    ...(standing.length === 0 ? {} : { standing }),
  }
  return decision.answers
    .filter((answer) => took(answer) || answer.result === 'ambiguous')
    .reduce((each, answer) => rememberCall(each, answer), next)
}

/** Every action whose change went with the call. */
function rememberCall(memory: Memory, answer: Answer): Memory {
  const names = [answer.call.action, ...(answer.call.with ?? [])]
  return names.reduce((each, name) => actionNamed(name)?.remember?.(each, answer.call, took(answer)) ?? each, memory)
}
