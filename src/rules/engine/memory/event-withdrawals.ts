// What an event withdrew stays withdrawn for that head, though a state rule still requests it, until an event requests it again (DESIGN §4).
import { actionNamed } from '../../actions/index.ts'
import type { Decision, Memory, RuleTrace } from '../../types.ts'

type Restrained = NonNullable<Memory['restrained']>

/** What an event rule requests now, including what it could not do: that fails closed. */
function asked({ event, mode, actions: traces }: RuleTrace): string[] {
  if (event === undefined || mode !== undefined) return []
  return traces
    .filter(({ result, withdrawal }) => withdrawal !== true && result !== 'done_before' && result !== 'overruled')
    .map(({ action }) => action)
}

/** The one-way actions that events keep state rules from, for as long as the rule stays matched. */
export function passedOver(decision: Decision): Set<string> {
  const restrained = decision.rules.flatMap((rule) => asked(rule).flatMap((name) => actionNamed(name)?.restrains ?? []))
  return new Set(restrained.filter((name) => actionNamed(name)?.oneWay === true))
}

/** By restrained action, the head and the rule. A push ends it, and so does an event that requests the action. */
export function restrainedAfter({ restrained = {} }: Memory, decision: Decision): Restrained {
  const { head } = decision
  const again = new Set(decision.rules.flatMap(asked))
  const kept = Object.entries(restrained).filter(
    ([name, before]) => (head === null || before.head === head) && !again.has(name),
  )
  const added = decision.rules.flatMap((rule) =>
    asked(rule).flatMap((name) => {
      const { restrainsHead, restrains = [] } = actionNamed(name) ?? {}
      return restrainsHead === true && head !== null
        ? restrains.map((each) => [each, { head, by: rule.name }] as const)
        : []
    }),
  )
  return Object.fromEntries([...kept, ...added])
}
