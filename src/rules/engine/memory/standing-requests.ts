// Standing requests: requests made by an event and evaluated as state from then on (DESIGN §4).
import type { Action } from '../../actions/definition/action.ts'
import { isCallOf } from '../../actions/definition/combined-update.ts'
import { actionNamed, actions } from '../../actions/index.ts'
import type { Decision, Memory, RuleTrace, StandingRequest } from '../../types.ts'

/** `<file>#<rule>`, without the event. */
export function ruleName({ key, event }: RuleTrace): string {
  return event === undefined ? key : key.slice(0, -event.id.length - 1)
}

/** The request that a rule made for its event, now or earlier. Its head and target branch are those of the event, or of its first evaluation. */
function requestOf(
  rule: RuleTrace,
  memory: Memory,
  { head, target }: Pick<Decision, 'head' | 'target'>,
): StandingRequest | undefined {
  const { event, fingerprint } = rule
  if (event === undefined) return undefined
  const name = ruleName(rule)
  const before = memory.standing?.find((each) => each.rule === name && each.occurrence.id === event.id)
  if (before?.fingerprint === fingerprint) return before
  const wished =
    rule.verdict === 'true'
      ? rule.actions.filter(({ result, withdrawal }) => withdrawal !== true && result !== 'done_before')
      : []
  const asking = wished.map(({ action }) => action).filter((action) => actionNamed(action)?.standing !== undefined)
  if (asking.length === 0) return before
  const asked = before?.head ?? event.event.head ?? head
  if (asked === null) return undefined
  const into = before === undefined ? (event.event.target ?? target) : before.target
  return {
    rule: name,
    fingerprint,
    head: asked,
    ...(into === undefined ? {} : { target: into }),
    occurrence: event,
    actions: asking,
  }
}

const everyStanding = () =>
  Object.values<Action>(actions).flatMap(({ name, standing }) => (standing === undefined ? [] : [name]))

/** Fulfilled. */
function isFulfilled({ key, actions }: RuleTrace, decision: Decision): boolean {
  return actions.some(({ action, result }) => {
    const declared = actionNamed(action)
    if (declared?.standing !== 'until it is done') return false
    if (result === 'nothing_to_do') return true
    const mine = decision.responses.filter(({ call }) => isCallOf(call, action) && call.rules.includes(key))
    return mine.some(
      (answer) => (answer.result === 'done' || answer.result === 'already') && declared.fulfils?.(answer.call) === true,
    )
  })
}

/** The requests of events that rules end now. */
function endedBy(decision: Decision): Set<string> {
  // An observing rule ends nothing.
  const acting = decision.rules.filter(({ mode }) => mode === undefined)
  const ending = acting.flatMap(({ actions }) =>
    actions.filter(({ result }) => result === 'call' || result === 'nothing_to_do' || result === 'blocked'),
  )
  return new Set(
    ending.flatMap(({ action }) => {
      const declared = actionNamed(action)
      return declared?.endsRequests === true ? (declared.restrains ?? []) : []
    }),
  )
}

export interface Standing {
  requests: StandingRequest[]
  /** Ended requests, by rule key: the same event does not make them again. */
  over: Map<string, string[]>
}

/** Whether the head or the target branch has changed since the request. One that cannot be read has not. */
function hasMoved(request: StandingRequest, { head, target }: Pick<Decision, 'head' | 'target'>): boolean {
  if (head !== null && head !== request.head) return true
  return target !== undefined && request.target !== undefined && target !== request.target
}

/** Requests stand while their head and target branch stay the same, until they are fulfilled or ended. */
export function standingAfter(memory: Memory, decision: Decision): Standing {
  const ended = endedBy(decision)
  const over = new Map<string, string[]>()
  const requests = decision.rules.flatMap((rule) => {
    const request = requestOf(rule, memory, decision)
    if (request === undefined) return []
    const moved = hasMoved(request, decision)
    const left = moved || isFulfilled(rule, decision) ? [] : request.actions.filter((action) => !ended.has(action))
    // The rule may have changed since: the event requests nothing under another version of it.
    const asked = moved ? everyStanding() : request.actions
    over.set(
      rule.key,
      asked.filter((action) => !left.includes(action)),
    )
    return left.length === 0 ? [] : [{ ...request, actions: left }]
  })
  return { requests, over }
}
