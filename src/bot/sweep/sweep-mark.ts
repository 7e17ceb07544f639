// How far a project is swept: a mark in the journal, where the next sweep continues.
import type { Journal } from '../../journal/journal.ts'

/** How far one list is swept. All times are in milliseconds. */
export interface ListMark {
  /** The newest `updated_at` seen, by the service's clock; absent before the first sweep. */
  newest?: number
  /** In the time of our clock. */
  newestSeenAt: number
  /** Read again after `overlapMs`: no change with the same `updated_at` can still appear. */
  confirmed: boolean
  /** Changes not reached: after `after`, up to `before`, from this page on. */
  left?: { after: number; before?: number | undefined; page: number } | undefined
  /** The page of open ones to start with; absent: the first. */
  openPage?: number | undefined
}

export const listNames = ['merge requests', 'issues'] as const
export type ListName = (typeof listNames)[number]

export interface SweepMark {
  /** In the time of our clock; 0 before the first sweep. */
  sweptAt: number
  lists: Partial<Record<ListName, ListMark>>
  /** The lists that rules in force are for (merge requests, if for the project), their version, and when read. */
  rules?: { version: string; for: ListName[]; readAt: number }
}

/** Read again before the newest change: services may round to seconds and show writes late. */
export const overlapMs = 60_000

export const neverListed: ListMark = { newestSeenAt: 0, confirmed: false }

const sweepMark = 'swept lists'

/** Never swept if there is none. Throws JournalUnavailable. */
export async function readMark(journal: Journal, project: number): Promise<SweepMark> {
  return (await journal.marks.read<SweepMark>(project, sweepMark)) ?? { sweptAt: 0, lists: {} }
}

/** Throws JournalUnavailable. */
export async function saveMark(journal: Journal, project: number, mark: SweepMark): Promise<void> {
  await journal.marks.write(project, sweepMark, mark)
}

/** Changes later than this are looked at; undefined: no mark yet, so only open ones. */
export function changesAfter({ newest, confirmed }: ListMark): number | undefined {
  if (newest === undefined) return undefined
  // Equal times are looked at again.
  return confirmed ? newest : newest - overlapMs - 1
}

/**
 * The mark after a sweep that began at `now` and saw nothing newer than `seen` (-Infinity: nothing). `serviceNow`: the
 * service's clock, in whole seconds; undefined if it does not say.
 */
export function advanced(
  mark: ListMark,
  { seen, serviceNow }: { seen: number; serviceNow?: number | undefined },
  now: number,
): ListMark {
  // A future `updated_at` (an import, a wrong clock) would hide all changes until then.
  const latest = serviceNow === undefined ? now : serviceNow + 999
  const newest = Math.min(Math.max(seen, mark.newest ?? 0, 0), latest)
  if (newest !== mark.newest) return { ...mark, newest, newestSeenAt: now, confirmed: false }
  return { ...mark, confirmed: mark.confirmed || now - mark.newestSeenAt >= overlapMs }
}

export interface ProjectToSweep {
  project: number
  path?: string | undefined
  /**
   * Why it is swept: it sends deliveries, or a person asked; or the bot user is a member, and the operator's rules name
   * it, or it may have rules of its own.
   */
  basis: 'deliveries' | 'named' | 'own_rules'
  /** Iids of refs (below 0: issues) that this sweep has queued. */
  enqueued: Set<number>
  /** Iids that this sweep has looked at. */
  looked: Set<number>
  /** The progress of a dry run, which stores no mark. */
  mark?: SweepMark
}
