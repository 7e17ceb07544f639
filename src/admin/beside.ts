// What was decided then beside what would be decided now: the answer of a dry run.
import type { DecisionRecord } from '../journal/types.ts'
import type { Call, Decision, MergeRequestRef, Verdict } from '../rules/types.ts'
import type { Desk } from './desk.ts'

/** Of one merge request. */
export interface Beside {
  mergeRequest: MergeRequestRef
  /** The decisions that the delivery led to, oldest first. */
  before: DecisionRecord[]
  /** Absent where the service cannot be read at the moment. */
  now?: Decision
  /** `nothing to do`, or how many calls, or why it cannot be said. */
  says: string
  /** The rules whose verdict is another now; null: it was, or is, not there. */
  changed: { rule: string; file: string; was: Verdict | null; is: Verdict | null }[]
}

/** Judges as it is now, without sending anything. */
export async function beside(
  desk: Pick<Desk, 'dryRun'>,
  mergeRequest: MergeRequestRef,
  before: readonly DecisionRecord[],
): Promise<Beside> {
  const run = await desk.dryRun(mergeRequest)
  const known = { mergeRequest, before: [...before] }
  if (!run.ok) return { ...known, says: `It cannot be judged at the moment: ${run.reason}`, changed: [] }
  return { ...known, now: run.decision, says: saysCalls(run.decision.calls), changed: changes(before.at(-1), run.decision) }
}

function saysCalls(calls: readonly Call[]): string {
  if (calls.length === 0) return 'nothing to do'
  return `${calls.length === 1 ? '1 call' : `${calls.length} calls`}: ${calls.map(({ action, with: others = [] }) => [action, ...others].join(' and ')).join(', ')}`
}

function changes(last: DecisionRecord | undefined, now: Decision): Beside['changed'] {
  if (last === undefined) return []
  const [before, after] = [verdicts(last), verdicts(now)]
  return [...new Map([...before, ...after])].flatMap(([key, { name, file }]) => {
    const [was, is] = [before.get(key)?.verdict ?? null, after.get(key)?.verdict ?? null]
    return was === is ? [] : [{ rule: name, file, was, is }]
  })
}

/** An event rule is one rule, whichever event it is judged for. */
function verdicts({ rules }: Decision) {
  return new Map(rules.map(({ name, file, verdict }) => [`${file}#${name}`, { name, file, verdict }]))
}
