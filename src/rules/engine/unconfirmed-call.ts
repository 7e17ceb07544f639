// A call whose response was lost: its outcome is read from the state before anything else is done. Pure.
import type { ReconcileInput } from '../actions/definition/action.ts'
import { actionNamed } from '../actions/index.ts'
import { postedStatuses } from '../actions/status.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import type { Call, CallOutcome, DecideInput, Decision, Memory, PendingCall, SourceName } from '../types.ts'
import { MAY_RUN_FOR_MS } from './limits/deferred-calls.ts'
import { factsFor, inputOf } from './requested-actions.ts'

const MOST_UNCERTAIN = 5

type SettledCall = NonNullable<Decision['settled']>

const sentences: Record<CallOutcome, string> = {
  done: 'its response was lost; it was done',
  not_done: 'its response was lost; it was not done',
  unknown: 'its response was lost, and the state does not tell whether it was done: it is not repeated',
}

/** The outcome of the pending call, or the sources to find it; undefined if there is none, or if it may still run. */
export function settlePendingCall(
  input: DecideInput,
  view: FactReader,
): { needs: SourceName[] } | SettledCall | undefined {
  const { pending } = input.memory
  if (pending === undefined) return undefined
  const outcome = reconcile(pending, input, view)
  if (typeof outcome === 'object') return outcome
  if (outcome === 'not_done' && Date.parse(input.now) - Date.parse(pending.at) < MAY_RUN_FOR_MS) return undefined
  return {
    call: pending.call,
    outcome,
    detail: `${pending.call.action} (${pending.call.endpoint}) at ${pending.at}: ${sentences[outcome]}`,
  }
}

/** Several actions may share one call, which was done completely or not at all. */
function reconcile(
  { call, earlier }: PendingCall,
  input: DecideInput,
  view: FactReader,
): CallOutcome | { needs: SourceName[] } {
  const reconciliations = [call.action, ...(call.with ?? [])].flatMap((name) => actionNamed(name)?.reconcile ?? [])
  const known = factsFor([...new Set(reconciliations.flatMap((each) => each.needs?.(call) ?? []))], view)
  if ('needs' in known) return known
  const unread = reconciliations
    .flatMap((each) => each.reads ?? [])
    .filter((name) => !Object.hasOwn(input.answers, name))
  if (unread.length > 0) return { needs: unread }
  if ('absent' in known) return 'unknown'
  const { fact, body, bot } = inputOf(input, known.facts)
  const given: ReconcileInput = { fact, body, bot, earlier, events: input.events }
  const verdicts = reconciliations.map((each) => each.outcome(call, given))
  if (verdicts.length === 0) return 'unknown'
  // One visible effect proves the whole call. If one effect is unknown, the call is not repeated.
  return (['done', 'unknown'] as const).find((each) => verdicts.includes(each)) ?? 'not_done'
}

/** The memory once the outcome of the pending call is known. A call with the outcome `unknown` is not repeated. */
export function memoryAfterSettling(memory: Memory, { outcome, detail }: SettledCall): Memory {
  const { pending, ...without } = memory
  if (pending === undefined || outcome === 'not_done') return without
  // What was remembered since then stays: a status may have failed.
  const { pushes, activeAt } = memory
  const ifDone = { ...pending.ifDone, pushes, activeAt: activeAt ?? pending.ifDone.activeAt }
  const statuses = postedStatuses.of(memory)
  const after = statuses === undefined ? ifDone : postedStatuses.put(ifDone, statuses)
  if (outcome === 'done') return after
  return { ...after, uncertain: [...(memory.uncertain ?? []), { at: pending.at, detail }].slice(-MOST_UNCERTAIN) }
}

/** A text for each action; undefined if nothing is known to be left out. */
export function droppedParts(call: Call, answer: unknown): Record<string, string> | undefined {
  const found = [call.action, ...(call.with ?? [])].flatMap((name) => {
    const words = actionNamed(name)?.answered?.(call, answer).dropped
    return words === undefined ? [] : [[name, words] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
