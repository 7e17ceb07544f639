// The brake: what rules that are new may do too often at once is held back, and judged again later (DESIGN §4, Modes). Pure; the counting is bot's.
import type { Action, Outcome } from './action.ts'
import type { Brake, Decision, RuleTrace } from './types.ts'

type Braked = Pick<Action, 'name' | 'perRule' | 'braked'>

const isNew = (brake: Brake, rule: string) => brake.newRules.includes(rule)

/** In place of a call that must wait: an event is not done with, and a state rule is asked again. */
export function heldByBrake(
  action: Braked,
  { rule, ofEvent }: { rule: string; ofEvent: boolean },
  { brake, now }: { brake?: Brake; now: string },
): Outcome | undefined {
  const until = brake?.full[action.name]
  if (brake === undefined || until === undefined || action.braked !== true || !isNew(brake, rule)) return undefined
  const detail = `the brake: new rules did this ${brake.perHour} times within the hour in this project; it is judged again at ${until}`
  return { result: ofEvent ? 'waits' : 'held back', detail, againInMs: Math.max(1000, Date.parse(until) - Date.parse(now)) }
}

/** How often a decision does each braked action because of new rules alone. */
export function brakedUses(
  decision: Pick<Decision, 'rules'>,
  brake: Brake,
  braked: readonly Braked[],
  nameOf: (trace: RuleTrace) => string,
): Map<string, number> {
  const acting = decision.rules.filter(({ mode }) => mode === undefined)
  const uses = new Map<string, number>()
  for (const action of braked) {
    // What is taken back is never limited.
    const asking = acting.filter(({ actions }) =>
      actions.some((each) => each.action === action.name && each.result === 'call' && each.withdrawal !== true),
    )
    const fresh = asking.filter((trace) => isNew(brake, nameOf(trace)))
    // What an old rule asks for as well is not held up by a new one that agrees.
    const times = action.perRule === undefined ? (fresh.length === asking.length ? Math.min(1, fresh.length) : 0) : fresh.length
    if (times > 0) uses.set(action.name, times)
  }
  return uses
}
