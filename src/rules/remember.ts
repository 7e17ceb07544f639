// What is remembered of a decision. Pure: gives new memory, never changes the old.
import type { Action } from './action.ts'
import { actions } from './actions/index.ts'
import { rememberSent } from './flips.ts'
import { isOf } from './one-update.ts'
import { rememberRaised } from './own-event.ts'
import { memoryAfter } from './pending.ts'
import { actionNamed } from './plan.ts'
import { passedOver, restrainedAfter } from './restraint.ts'
import { ruleName, type Standing, standingAfter } from './standing.ts'
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
  if (action.withdrawal === true || actionNamed(action.action)?.oneWay !== true) return false
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
  const over = passedOver(decision)
  const now = rule.actions
    .filter((action) => isDone(action, rule.key, decision) || (action.result === 'lost' && over.has(action.action)))
    .map((action) => action.action)
  return { fingerprint, held: true, done: [...new Set([...kept, ...now])] }
}

/** What an event rule has done for its event; a refusal counts, because an event is acted on once. What may have been done shows in the state. */
function triedFor({ key, actions }: RuleTrace, decision: Decision): string[] {
  const tried = actions.filter(({ action, result, withdrawal }) => {
    if (withdrawal === true) return false
    // What is kept as a standing request is judged as state.
    if (result === 'waits' || actionNamed(action)?.standing !== undefined) return false
    if (result !== 'call') return true
    const mine = decision.calls.filter((call) => isOf(call, action) && call.rules.includes(key))
    const settled = decision.answers.filter(
      ({ call, result: came }) =>
        isOf(call, action) && call.rules.includes(key) && (came === 'done' || came === 'already' || came === 'refused'),
    )
    return settled.length >= mine.length
  })
  return tried.map(({ action }) => action)
}

/** Of the events that are still in the mailbox; those that are gone cannot come again. */
function rememberEvents({ events = {} }: Memory, decision: Decision, { over }: Standing): NonNullable<Memory['events']> {
  const next: NonNullable<Memory['events']> = {}
  for (const rule of decision.rules) {
    const { event } = rule
    if (event === undefined) continue
    const name = ruleName(rule)
    const before = events[event.id]?.[name] ?? []
    const now = rule.verdict === 'true' ? triedFor(rule, decision) : []
    const done = [...new Set([...before, ...now, ...(over.get(rule.key) ?? [])])]
    if (done.length > 0) next[event.id] = { ...next[event.id], [name]: done }
  }
  return next
}

/** A call that is not made twice, and whose answer was lost. */
function pendingAfter(memory: Memory, decision: Decision): Memory['pending'] {
  const last = decision.answers.at(-1)
  if (last?.result !== 'ambiguous' || last.call.before === undefined) return undefined
  const others = decision.answers.slice(0, -1)
  return {
    call: last.call,
    at: new Date(Date.parse(last.at) + last.tookMs).toISOString(),
    earlier: others.filter(took).map(({ call }) => call),
    ifDone: remember(memory, { ...decision, answers: [...others, { ...last, result: 'done' }] }),
  }
}

/** Whether an event still asks for something that no memory keeps: then it has to stay in the mailbox. */
export function asksAgain(decision: Decision, { pending, standing = [] }: Memory): boolean {
  if (pending !== undefined || decision.calls.length > 0) return true
  return decision.rules.some((rule) => {
    const kept = standing.find(({ rule: name, occurrence }) => name === ruleName(rule) && occurrence.id === rule.event?.id)?.actions ?? []
    return rule.event !== undefined && rule.actions.some(({ action, result }) => result === 'waits' && !kept.includes(action))
  })
}

/** Whether there is anything of Bellhop's own that it may have to take back. */
export function holdsAnything(memory: Memory): boolean {
  return Object.values<Action>(actions).some(({ withdraw }) => withdraw?.stands(memory, []) === true)
}

/** Whether a rule holds, or anything is asked for or to be taken back, as far as is remembered. */
export function keepsAnything(memory: Memory): boolean {
  const { rules, standing = [], pending } = memory
  return pending !== undefined || standing.length > 0 || Object.values(rules).some(({ held }) => held) || holdsAnything(memory)
}

/** The memory after a decision whose answers are in. Rules that are no longer in force are forgotten. */
export function remember(before: Memory, decision: Decision): Memory {
  const memory = decision.settled === undefined ? before : memoryAfter(before, decision.settled)
  const rules = decision.rules.flatMap((rule) => {
    if (rule.event !== undefined) return []
    const known = Object.hasOwn(memory.rules, rule.key) ? memory.rules[rule.key] : undefined
    const after = rememberRule(rule, decision, known)
    return after === undefined ? [] : [[rule.key, after] as const]
  })
  const { events: _events, standing: _standing, sent: _sent, restrained: _restrained, ...kept } = memory
  const restrained = restrainedAfter(memory, decision)
  const sent = rememberSent(memory, decision)
  const raised = rememberRaised(memory, decision.answers)
  const standing = standingAfter(memory, decision)
  const events = rememberEvents(memory, decision, standing)
  const pending = pendingAfter(before, decision)
  const next: Memory = {
    ...kept,
    ...(pending === undefined ? {} : { pending }),
    rules: Object.fromEntries(rules),
    ...(Object.keys(events).length === 0 ? {} : { events }),
    ...(standing.requests.length === 0 ? {} : { standing: standing.requests }),
    ...(Object.keys(sent).length === 0 ? {} : { sent }),
    ...(Object.keys(raised).length === 0 ? {} : { raised }),
    ...(Object.keys(restrained).length === 0 ? {} : { restrained }),
  }
  const noticed = (decision.noted ?? []).reduce((each, { action, memo }) => actionNamed(action)?.notice?.(each, memo) ?? each, next)
  return rememberCalls(noticed, decision.answers)
}

/** The memory after calls alone, whatever rules were in force. */
export function rememberCalls(memory: Memory, answers: readonly Answer[]): Memory {
  return answers
    .filter((answer) => took(answer) || answer.result === 'ambiguous')
    .reduce((each, answer) => rememberCall(each, answer), memory)
}

/** Every action whose change went with the call. */
function rememberCall(memory: Memory, answer: Answer): Memory {
  const names = [answer.call.action, ...(answer.call.with ?? [])]
  return names.reduce((each, name) => actionNamed(name)?.remember?.(each, answer.call, took(answer)) ?? each, memory)
}
