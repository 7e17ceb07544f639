// What the bot's processes wrote and how they ended: no concurrent evaluations of a merge request, crashes or secrets.
import { groupBy } from './history.ts'
import type { SoakRecord, Violation } from './record.ts'

/** What their logs show that may not be. */
export function wrongOutput({ log }: SoakRecord): Violation[] {
  return [
    ...atOnce(log.evaluations.filter((each) => !wasFrozen(log, each))),
    ...log.forbidden.map(({ process, why, line }) => ({ promise: why, detail: `${process}: ${line.slice(0, 300)}` })),
    ...log.ends.map(({ process, expected, found }) => ({
      promise: 'a process ends only when it is told to, with 0',
      detail: `${process}: expected ${expected}, found ${found}`,
    })),
  ]
}

/** Then another process may evaluate the merge request, rightly: other checks show that the frozen one did no harm. */
function wasFrozen(
  { freezes }: SoakRecord['log'],
  { process, from, to }: SoakRecord['log']['evaluations'][number],
): boolean {
  return freezes.some((freeze) => freeze.process === process && freeze.from < to && from < freeze.to)
}

/** The log has only a part of each evaluation, from reading to record: where parts overlap, the evaluations did. */
function atOnce(evaluations: SoakRecord['log']['evaluations']): Violation[] {
  const found: Violation[] = []
  for (const [mergeRequest, own] of groupBy(evaluations, (each) => each.mergeRequest)) {
    const inOrder = own.toSorted((a, b) => a.from - b.from)
    for (const [index, each] of inOrder.entries()) {
      const before = inOrder[index - 1]
      if (before === undefined || each.from >= before.to) continue
      const detail = `${before.process} until ${before.to}, ${each.process} from ${each.from}`
      found.push({ promise: 'one merge request, one evaluation at a time', mergeRequest, detail })
    }
  }
  return found
}
