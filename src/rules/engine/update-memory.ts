// The memory after a decision. Pure: returns new memory, never changes the old.
import type { Action } from '../actions/definition/action.ts'
import { isCallOf } from '../actions/definition/combined-update.ts'
import { actionNamed, actions } from '../actions/index.ts'
import type { CallResponse, Decision, Memory, RuleTrace } from '../types.ts'
import { rememberSent } from './limits/loop-guard.ts'
import { passedOver, restrainedAfter } from './memory/event-withdrawals.ts'
import { rememberRaised } from './memory/own-event.ts'
import { ruleName, type Standing, standingAfter } from './memory/standing-requests.ts'
import { memoryAfter } from './unconfirmed-call.ts'

/** The memory of a merge request that was never evaluated. */
export function emptyMemory(): Memory {
  return { rules: {}, pushes: [] }
}

/** The call's effect is there: from this call, or from before. */
function took(answer: CallResponse): boolean {
  return answer.result === 'done' || answer.result === 'already'
}

/** Whether a one-way action is done, with or without calls. */
function isDone(action: RuleTrace['actions'][number], key: string, decision: Decision): boolean {
  if (action.withdrawal === true || actionNamed(action.action)?.oneWay !== true) return false
  if (action.result === 'nothing_to_do' || action.result === 'done_before') return true
  if (action.result !== 'call') return false
  const mine = decision.calls.filter((call) => isCallOf(call, action.action) && call.rules.includes(key))
  const answers = decision.responses.filter(
    (answer) => isCallOf(answer.call, action.action) && answer.call.rules.includes(key),
  )
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
  if (rule.verdict === 'false') return { fingerprint, matched: false, done: [] }
  const kept = rule.became ? [] : (before?.done ?? [])
  const over = passedOver(decision)
  const now = rule.actions
    .filter(
      (action) => isDone(action, rule.key, decision) || (action.result === 'overruled' && over.has(action.action)),
    )
    .map((action) => action.action)
  return { fingerprint, matched: true, done: [...new Set([...kept, ...now])] }
}

/** What an event rule has done for its event. A refusal counts, because a rule acts on an event once. */
function triedFor({ key, actions }: RuleTrace, decision: Decision): string[] {
  const tried = actions.filter(({ action, result, withdrawal }) => {
    if (withdrawal === true) return false
    // A standing request is evaluated as state.
    if (result === 'waits' || actionNamed(action)?.standing !== undefined) return false
    if (result !== 'call') return true
    const mine = decision.calls.filter((call) => isCallOf(call, action) && call.rules.includes(key))
    const settled = decision.responses.filter(
      ({ call, result }) =>
        isCallOf(call, action) &&
        call.rules.includes(key) &&
        (result === 'done' || result === 'already' || result === 'refused'),
    )
    return settled.length >= mine.length
  })
  return tried.map(({ action }) => action)
}

/** For the events that are still pending; processed events cannot come again. */
function rememberEvents(
  { events = {} }: Memory,
  decision: Decision,
  { over }: Standing,
): NonNullable<Memory['events']> {
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

/** A call that must not be repeated, and whose response was lost. */
function pendingAfter(memory: Memory, decision: Decision): Memory['pending'] {
  const last = decision.responses.at(-1)
  if (last?.result !== 'ambiguous' || last.call.before === undefined) return undefined
  const others = decision.responses.slice(0, -1)
  return {
    call: last.call,
    at: new Date(Date.parse(last.at) + last.tookMs).toISOString(),
    earlier: others.filter(took).map(({ call }) => call),
    ifDone: remember(memory, { ...decision, responses: [...others, { ...last, result: 'done' }] }),
  }
}

/** Whether an event still requests something that memory does not keep: then it stays pending. */
export function asksAgain(decision: Decision, { pending, standing = [] }: Memory): boolean {
  if (pending !== undefined || decision.calls.length > 0) return true
  return decision.rules.some((rule) => {
    const kept =
      standing.find(({ rule: name, occurrence }) => name === ruleName(rule) && occurrence.id === rule.event?.id)
        ?.actions ?? []
    return (
      rule.event !== undefined &&
      rule.actions.some(({ action, result }) => result === 'waits' && !kept.includes(action))
    )
  })
}

/** Whether Bellhop holds anything that it may have to withdraw. */
export function holdsAnything(memory: Memory): boolean {
  return Object.values<Action>(actions).some(({ withdraw }) => withdraw?.isInEffect(memory, []) === true)
}

/** Whether a rule matched, or anything is requested or held, according to memory. */
export function keepsAnything(memory: Memory): boolean {
  const { rules, standing = [], pending } = memory
  return (
    pending !== undefined ||
    standing.length > 0 ||
    Object.values(rules).some(({ matched }) => matched) ||
    holdsAnything(memory)
  )
}

/** The memory after a decision and the responses to its calls. Forgets rules that are no longer in force. */
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
  const raised = rememberRaised(memory, decision.responses)
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
  const noticed = (decision.noted ?? []).reduce(
    (each, { action, memo }) => actionNamed(action)?.notice?.(each, memo) ?? each,
    next,
  )
  return rememberCalls(noticed, decision.responses)
}

/** The memory after calls alone. */
export function rememberCalls(memory: Memory, answers: readonly CallResponse[]): Memory {
  return answers
    .filter((answer) => took(answer) || answer.result === 'ambiguous')
    .reduce((each, answer) => rememberCall(each, answer), memory)
}

/** Every action whose change went with the call. */
function rememberCall(memory: Memory, answer: CallResponse): Memory {
  const names = [answer.call.action, ...(answer.call.with ?? [])]
  return names.reduce((each, name) => actionNamed(name)?.remember?.(each, answer.call, took(answer)) ?? each, memory)
}
