// Projects whose patterns exceed their budget: evaluations are delayed to one at a time, so that others run in between.
import type { MergeRequestRef } from '../../rules/types.ts'

/** Between two evaluations of such a project. Each may hold up the process for some 50 ms. */
const APART_MS = 1_000
const FORGOTTEN_AFTER_MS = 60_000

export type HeavyProjects = ReturnType<typeof createHeavyProjects>

/** Counts per process. */
export function createHeavyProjects(now: () => number) {
  const heavy = new Map<number, { since: number; last: number; turns: Map<number, number> }>()
  const find = (project: number) => {
    const found = heavy.get(project)
    if (found === undefined || now() - found.since < FORGOTTEN_AFTER_MS) return found
    heavy.delete(project)
    return undefined
  }
  return {
    /** Patterns of the project exceeded their budget: for a minute it counts as heavy. */
    add(project: number): void {
      const since = now()
      heavy.set(project, { ...(find(project) ?? { last: since, turns: new Map() }), since })
    },
    /** How long the evaluation must wait for its turn; 0 if it may run now, which uses up its turn. */
    waitMs({ project, iid }: MergeRequestRef): number {
      const found = find(project)
      if (found === undefined) return 0
      const known = found.turns.get(iid)
      const turn = known ?? Math.max(now(), found.last + APART_MS)
      if (known === undefined) found.last = turn
      if (turn > now()) found.turns.set(iid, turn)
      else found.turns.delete(iid)
      return Math.max(0, turn - now())
    },
  }
}
