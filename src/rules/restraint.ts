// What an event took back stays so, though a state rule still asks for it: for the head of that moment, until an event asks for it again (DESIGN §4, order).
import { actionNamed } from './plan.ts'
import type { Decision, Memory, RuleTrace } from './types.ts'

type Restrained = NonNullable<Memory['restrained']>

/** What an acting rule for an event asks for now: also what it could not do, because that fails closed. */
function asked({ event, mode, actions: traces }: RuleTrace): string[] {
  if (event === undefined || mode !== undefined) return []
  return traces
    .filter(({ result, withdrawal }) => withdrawal !== true && result !== 'done before' && result !== 'lost')
    .map(({ action }) => action)
}

/** The one-way actions that events keep state rules from: a rule that holds now does not come back to them while it stays true. */
export function passedOver(decision: Decision): Set<string> {
  const restrained = decision.rules.flatMap((rule) => asked(rule).flatMap((name) => actionNamed(name)?.restrains ?? []))
  return new Set(restrained.filter((name) => actionNamed(name)?.oneWay === true))
}

/** By restrained action, the head and the rule. A push ends it, and so does an event that asks for the action. */
export function restrainedAfter({ restrained = {} }: Memory, decision: Decision): Restrained {
  const { head } = decision
  const again = new Set(decision.rules.flatMap(asked))
  const kept = Object.entries(restrained).filter(([name, before]) => (head === null || before.head === head) && !again.has(name))
  const added = decision.rules.flatMap((rule) =>
    asked(rule).flatMap((name) => {
      const { restrainsTheHead, restrains = [] } = actionNamed(name) ?? {}
      return restrainsTheHead === true && head !== null ? restrains.map((each) => [each, { head, by: rule.name }] as const) : []
    }),
  )
  return Object.fromEntries([...kept, ...added])
}
