// A call whose answer was lost: the state is asked what became of it before anything else is done (DESIGN §6, nothing acts twice). Pure.
import type { AfterLoss } from './action.ts'
import { actionNamed } from './plan.ts'
import type { Came, DecideInput, Decision, Memory, PendingCall, SourceName } from './types.ts'
import type { View } from './view.ts'
import { factsFor, inputOf } from './wishes.ts'

/** How long a service may work on a call that nobody waits for any more: until then, "not done" may only mean "not yet". */
const SETTLES_WITHIN_MS = 5_000
const MOST_UNCERTAIN = 5

type Settled = NonNullable<Decision['settled']>

const sentences: Record<Came, string> = {
  done: 'its answer was lost; it was done',
  'not done': 'its answer was lost; it was not done',
  unknown: 'its answer was lost, and nothing tells whether it was done: it is not repeated',
}

/** Why nothing is done while a call may still be under way, and for how long. */
export function waitsFor({ call, at }: PendingCall, now: string): { reason: string; againInMs: number[] } {
  const left = Date.parse(at) + SETTLES_WITHIN_MS - Date.parse(now)
  return { reason: `the answer to ${call.action} was lost: what became of it is asked first`, againInMs: [Math.max(left, 1000)] }
}

/** What became of the pending call; what must be read to tell; or nothing: there is none, or it may still be under way. */
export function settle(input: DecideInput, view: View): { needs: SourceName[] } | Settled | undefined {
  const { pending } = input.memory
  if (pending === undefined) return undefined
  const came = judge(pending, input, view)
  if (typeof came === 'object') return came
  if (came === 'not done' && Date.parse(input.now) - Date.parse(pending.at) < SETTLES_WITHIN_MS) return undefined
  return { call: pending.call, came, detail: `${pending.call.action} (${pending.call.endpoint}) at ${pending.at}: ${sentences[came]}` }
}

/** Several actions may share one call: it was done as a whole or not at all. */
function judge({ call, earlier }: PendingCall, input: DecideInput, view: View): Came | { needs: SourceName[] } {
  const judges = [call.action, ...(call.with ?? [])].flatMap((name) => actionNamed(name)?.came ?? [])
  const known = factsFor([...new Set(judges.flatMap((each) => each.needs?.(call) ?? []))], view)
  if ('needs' in known) return known
  const unread = judges.flatMap((each) => each.reads ?? []).filter((name) => !Object.hasOwn(input.answers, name))
  if (unread.length > 0) return { needs: unread }
  if ('absent' in known) return 'unknown'
  const { fact, body, bot } = inputOf(input, known.facts)
  const given: AfterLoss = { fact, body, bot, earlier, events: input.events }
  const verdicts = judges.map((each) => each.judge(call, given))
  if (verdicts.length === 0) return 'unknown'
  // One part that is there proves the whole; one that cannot be told must not be done again with the others.
  return (['done', 'unknown'] as const).find((came) => verdicts.includes(came)) ?? 'not done'
}

/** What is remembered once it is known what became of the pending call. One that cannot be told is not repeated. */
export function memoryAfter(memory: Memory, { came, detail }: Settled): Memory {
  const { pending, ...without } = memory
  if (pending === undefined || came === 'not done') return without
  const { pushes, activeAt } = memory
  const after = { ...pending.ifDone, pushes, ...(activeAt === undefined ? {} : { activeAt }) }
  if (came === 'done') return after
  return { ...after, uncertain: [...(memory.uncertain ?? []), { at: pending.at, detail }].slice(-MOST_UNCERTAIN) }
}
