// What the processes of the bot wrote and how they ended: no two evaluations of one merge request at once, no crash, no secret.
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

/** Then another process may have taken the merge request up, and rightly so: that the frozen one did no harm since is what all other checks show. */
function wasFrozen(
  { freezes }: SoakRecord['log'],
  { process, from, to }: SoakRecord['log']['evaluations'][number],
): boolean {
  return freezes.some((freeze) => freeze.process === process && freeze.from < to && from < freeze.to)
}

/** The log tells of a part of each evaluation only, from its reading to its record: where parts overlap, the whole did. */
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
