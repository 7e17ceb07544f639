// Compares past decisions on a merge request with what would be decided now: the response of a dry run.
import type { DecisionRecord } from '../../journal/types.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { Call, Decision, MergeRequestRef, Verdict } from '../../rules/types.ts'
import type { AdminContext } from '../admin-context.ts'

export interface DecisionComparison {
  mergeRequest: MergeRequestRef
  /** The decisions that the delivery triggered, oldest first. */
  before: DecisionRecord[]
  /** Absent if the service cannot be read at the moment. */
  now?: Decision
  /** `nothing to do`, the calls, or why it cannot be evaluated. */
  summary: string
  /** The rules whose verdict changed; null: there was, or is, no such rule. */
  changed: { rule: string; file: string; before: Verdict | null; now: Verdict | null }[]
}

/** Evaluates the present state without sending anything. */
export async function compareDecisions(
  context: Pick<AdminContext, 'dryRun'>,
  mergeRequest: MergeRequestRef,
  before: readonly DecisionRecord[],
): Promise<DecisionComparison> {
  const run = await context.dryRun(mergeRequest)
  const known = { mergeRequest, before: [...before] }
  if (!run.ok) return { ...known, summary: `It cannot be evaluated: ${run.reason}`, changed: [] }
  return {
    ...known,
    now: run.decision,
    summary: summarizeCalls(run.decision.calls),
    changed: changes(before.at(-1), run.decision),
  }
}

function summarizeCalls(calls: readonly Call[]): string {
  if (calls.length === 0) return 'nothing to do'
  const actions = calls.map(({ action, with: others = [] }) => [action, ...others].join(' and '))
  return `${count(calls.length, 'call')}: ${actions.join(', ')}`
}

function changes(last: DecisionRecord | undefined, decision: Decision): DecisionComparison['changed'] {
  if (last === undefined) return []
  const [old, current] = [verdicts(last), verdicts(decision)]
  return [...new Map([...old, ...current])].flatMap(([key, { name, file }]) => {
    const [before, now] = [old.get(key)?.verdict ?? null, current.get(key)?.verdict ?? null]
    return before === now ? [] : [{ rule: name, file, before, now }]
  })
}

/** The verdict of each rule. An event rule counts once, whichever event it was evaluated for. */
function verdicts({ rules }: Decision) {
  return new Map(rules.map(({ name, file, verdict }) => [`${file}#${name}`, { name, file, verdict }]))
}
