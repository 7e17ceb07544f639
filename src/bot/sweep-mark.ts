// How far a project is swept: kept as a mark in the journal, so that the next sweep begins where this one ended (DESIGN §6, a lost hook is made good).
import type { Journal } from '../journal/types.ts'

/** All times are in milliseconds. */
export interface SweepMark {
  /** By our own clock: 0 before the first sweep. */
  sweptAt: number
  /** The newest `updated_at` that was seen, by the service's clock; absent before the first sweep. */
  newest?: number
  /** When it was first seen, by our own clock. */
  newestSeenAt: number
  /** Looked at again long enough after it was seen: nothing that late could still hide beside it. */
  confirmed: boolean
  /** Changes that the budget did not reach: those after `after` up to `before`, from this page on. */
  left?: { after: number; before?: number; page: number }
  /** The page of the open merge requests to begin with; absent: the first. */
  openPage?: number
  /** Whether any rule is in force, by which rule files, and when that was read. */
  rules?: { version: string; any: boolean; readAt: number }
}

const markName = 'swept'

/**
 * Services count in seconds at times, and what is written at one moment can be seen some moments later: as much before the newest change is
 * looked at once more.
 */
export const overlapMs = 60_000

export const neverSwept: SweepMark = { sweptAt: 0, newestSeenAt: 0, confirmed: false }

/** The mark of a project; one that no sweep has made says so. Throws JournalUnavailable. */
export async function readMark(journal: Pick<Journal, 'projectMark'>, service: string, project: number): Promise<SweepMark> {
  const text = await journal.projectMark(service, project, markName)
  return text === undefined ? neverSwept : (JSON.parse(text) as SweepMark)
}

/** Throws JournalUnavailable. */
export async function saveMark(journal: Pick<Journal, 'markProject'>, service: string, project: number, mark: SweepMark): Promise<void> {
  await journal.markProject(service, project, markName, JSON.stringify(mark))
}

/** Changes later than this are looked at; undefined: there is no mark yet, so only what is open. */
export function changesAfter({ newest, confirmed }: SweepMark): number | undefined {
  if (newest === undefined) return undefined
  // The overlap itself is part of it: equal times are looked at again.
  return confirmed ? newest : newest - overlapMs - 1
}

/**
 * The mark after a look that began at `now` and saw nothing newer than `seen`; -Infinity: nothing at all. `theirNow` is the service's own clock at
 * that moment, in whole seconds; undefined: it did not say, and ours has to do.
 */
export function advanced(mark: SweepMark, { seen, theirNow }: { seen: number; theirNow?: number | undefined }, now: number): SweepMark {
  // A time to come (an import, a wrong clock) would hide all changes until then. To come by the service's clock: it stamps the changes.
  const latest = theirNow === undefined ? now : theirNow + 999
  const newest = Math.min(Math.max(seen, mark.newest ?? 0, 0), latest)
  if (newest !== mark.newest) return { ...mark, newest, newestSeenAt: now, confirmed: false }
  return { ...mark, confirmed: mark.confirmed || now - mark.newestSeenAt >= overlapMs }
}
