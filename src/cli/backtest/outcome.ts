// What a decision about the past comes to: which rules held, what they would have done, and what is not known.
import { boundSource } from '../../rules/sources.ts'
import type { ActionTrace, DecideInput, Decision, RuleTrace, Trace } from '../../rules/types.ts'
import { unknownIn } from './past-facts.ts'

export interface RuleOutcome {
  rule: string
  file: string
  /** `waits`: it is for events, of which the past is not known. */
  verdict: RuleTrace['verdict'] | 'waits'
  /** What a rule that holds would have come to: `unknown` where it depends on what is not known. */
  actions: { action: string; result: ActionTrace['result'] | 'unknown'; detail: string }[]
  /** The facts that are not known and matter. */
  unknown: string[]
}

export interface Outcome {
  iid: number
  title: string
  state: string
  /** Whether the bot that was asked saw its last head while it was open; absent where none was asked, or it is open. */
  seen?: boolean
  /** Every rule is settled, and what it would have done. */
  decided: boolean
  rules: RuleOutcome[]
}

function unknownLeaves(trace: Trace): string[] {
  if (trace.verdict !== 'unknown') return []
  return trace.children === undefined ? [trace.condition] : trace.children.flatMap(unknownLeaves)
}

function actionOf({ action, result, detail, conditions }: ActionTrace): RuleOutcome['actions'][number] & { unknown: string[] } {
  const inWay = conditions === undefined ? [] : unknownLeaves(conditions)
  const unknown = result === 'call' ? [] : [...new Set([...inWay, ...unknownIn(detail)])]
  return { action, result: unknown.length > 0 ? 'unknown' : result, detail, unknown }
}

function ruleOf(trace: RuleTrace, forEvents: boolean): RuleOutcome {
  const { name, file, verdict } = trace
  if (forEvents) return { rule: name, file, verdict: 'waits', actions: [], unknown: [] }
  const actions = verdict === 'true' ? trace.actions.map(actionOf) : []
  const unknown = verdict === 'unknown' ? unknownLeaves(trace.conditions) : actions.flatMap((each) => each.unknown)
  return { rule: name, file, verdict, actions: actions.map(({ unknown: _unknown, ...each }) => each), unknown: [...new Set(unknown)] }
}

/** The outcome for one merge request. One that cannot be read is not decided. */
export function outcomeOf(
  mergeRequest: Pick<Outcome, 'iid' | 'title' | 'state' | 'seen'>,
  decision: Decision,
  input: DecideInput,
): Outcome {
  const events = new Set(
    input.files.flatMap(({ path, rules }) => rules.rules.filter(({ on }) => on !== undefined).map(({ name }) => `${path}#${name}`)),
  )
  const rules = decision.rules.map((trace) => ruleOf(trace, events.has(`${trace.file}#${trace.name}`)))
  const read = input.answers[boundSource]
  const readable = read === undefined || read.ok
  return {
    ...mergeRequest,
    decided: readable && rules.every(({ unknown, verdict }) => unknown.length === 0 && verdict !== 'unknown'),
    rules,
  }
}
