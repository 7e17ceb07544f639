// The place of each entry of a merge queue, what it waits for, and when it will land by past durations. Pure.
import { isSame, membersOf } from './mutable-plan.ts'
import { candidatesBehind } from './order.ts'
import type { Build, Entry, EntryRef, MergeQueueRecord, QueuePause } from './types.ts'

/** Why an entry does not land now, other than that its build runs. */
export type WaitReason =
  /** `until`: when the freeze may end, ISO 8601. */
  | { is: 'frozen'; until?: string; because?: string }
  /** It is built on none of these. */
  | { is: 'conflict'; with: readonly number[] }
  /** `first`: an operator moved it to the front. */
  | { is: 'turn'; first?: true }
  /** Its own build is green. */
  | { is: 'builds_before' }

/** When it will probably land, in milliseconds since 1970. */
export interface Eta {
  from: number
  to: number
}

/** The time that notes and pages name. */
export const middleOf = ({ from, to }: Eta): number => (from + to) / 2

export interface EntryProgress {
  /** Starts at 1. */
  position: number
  of: number
  /** Absent while it is not tested. */
  build?: {
    /** The number of its first attempt. */
    number: number
    /** What it is tested with, in the order of landing. */
    others: readonly number[]
    /** The commit of the target below it; absent if it is unknown, for example until its branch exists. */
    base?: string
    /** Whether it has a pipeline. */
    hasPipeline: boolean
    /** Its newest pipeline. */
    link?: string
  }
  waitsFor: readonly WaitReason[]
  /** Why the whole queue is paused. */
  paused?: QueuePause
  /** Absent if no build has landed yet, the entry is frozen, or the queue is paused. */
  eta?: Eta
}

/** The entries that are not in a build, in the order in which they are tested; those in conflict follow the others. */
function waitingEntries(record: MergeQueueRecord, entries: readonly Entry[], now: number): Entry[] {
  const tested = membersOf(record.builds)
  const order = { record, observed: { entries }, now }
  const next = candidatesBehind(order, tested)
  const later = candidatesBehind({ ...order, record: { ...record, conflicts: [] } }, tested)
  return [...next, ...later.filter((entry) => !next.includes(entry))]
}

/** The progress of each entry that is tested or waits, in the order of landing. */
export function queueProgress(
  record: MergeQueueRecord,
  entries: readonly Entry[],
  now: number,
): { entry: Entry; progress: EntryProgress }[] {
  const { builds, removals, paused } = record
  const isRemoved = (entry: Entry) => removals.some(({ member }) => isSame(member, entry))
  const tested = builds.flatMap((build, index) =>
    entries
      .filter((entry) => build.members.some((member) => isSame(member, entry)) && !isRemoved(entry))
      .map((entry) => ({ entry, index })),
  )
  const batch = Math.max(1, ...builds.map(({ members }) => members.length))
  const waiting = waitingEntries(record, entries, now).map((entry, place) => ({
    entry,
    index: builds.length + Math.floor(place / batch),
  }))
  const all = [...tested, ...waiting]
  const etas = landingTimes(record, (all.at(-1)?.index ?? -1) + 1, now)
  return all.map(({ entry, index }, place) => {
    const build = builds[index]
    const waitsFor = waitReasons(record, entry, index)
    const eta = paused === undefined && !entry.frozen ? etas[index] : undefined
    return {
      entry,
      progress: {
        position: place + 1,
        of: all.length,
        waitsFor,
        build: build && describeBuild(record, build, index, entry),
        paused,
        eta,
      },
    }
  })
}

function describeBuild({ builds, recent }: MergeQueueRecord, build: Build, index: number, entry: EntryRef) {
  const others = membersOf(builds.slice(0, index + 1)).filter((member) => !isSame(member, entry))
  const below = builds[0]?.base?.commit
  // What an accept lands is another commit of the same tree: the tested one is not on the target.
  const base = recent.some(({ by, commit }) => by === 'accept' && commit === below) ? undefined : below
  const link = build.attempts.findLast((attempt) => attempt.link !== undefined)?.link
  const hasPipeline = build.attempts.some(({ pipeline }) => (pipeline ?? link) !== undefined)
  return { number: build.attempts[0]?.number ?? 0, others: others.map(({ iid }) => iid), base, hasPipeline, link }
}

function waitReasons({ conflicts, builds, first = [] }: MergeQueueRecord, entry: Entry, index: number): WaitReason[] {
  const build = builds[index]
  const tested = membersOf(builds)
  const others = conflicts
    .flatMap((each) => (isSame(each.member, entry) ? each.others : []))
    .filter((other) => tested.some((member) => isSame(member, other)))
  const { frozen, frozenUntil: until, frozenBecause: because } = entry
  const reasons: WaitReason[] = frozen ? [{ is: 'frozen', until, because }] : []
  if (build !== undefined) return index > 0 && hasPassed(build) ? [...reasons, { is: 'builds_before' }] : reasons
  if (others.length > 0) return [...reasons, { is: 'conflict', with: others.map(({ iid }) => iid) }]
  if (reasons.length > 0) return reasons
  return [first.some((each) => isSame(each, entry)) ? { is: 'turn', first: true } : { is: 'turn' }]
}

const hasPassed = ({ attempts }: Build) => attempts.some(({ passed }) => passed !== undefined)

/** When the existing builds land, and those that follow as the window allows, by place. */
function landingTimes({ builds, window, recent }: MergeQueueRecord, count: number, now: number): Eta[] {
  const known = recent.flatMap(({ testedMs }) => testedMs ?? []).slice(0, mostDurations)
  const times: Eta[] = []
  let last: Eta | undefined = { from: now, to: now }
  for (let index = 0; index < count && last !== undefined; index++) {
    const build = builds[index]
    const begins = build === undefined ? (times[index - window] ?? { from: now, to: now }) : undefined
    const ready = begins === undefined ? readyTime(build, known, now) : endTime(begins, known)
    last = ready && { from: Math.max(last.from, ready.from), to: Math.max(last.to, ready.to) }
    if (last !== undefined) times.push(last)
  }
  return times
}

const mostDurations = 20

/** Undefined if it already takes longer than any known build. */
function readyTime(build: Build | undefined, known: readonly number[], now: number): Eta | undefined {
  if (build !== undefined && hasPassed(build)) return { from: now, to: now }
  const since = build?.attempts[0]?.since ?? now
  return endTime(
    { from: since, to: since },
    known.filter((each) => since + each > now),
  )
}

/** The range of the durations without the shortest and the longest tenth. */
function endTime({ from, to }: Eta, durations: readonly number[]): Eta | undefined {
  const sorted = durations.toSorted((a, b) => a - b)
  const skipped = Math.floor(sorted.length / 10)
  const [shortest, longest] = [sorted[skipped], sorted[sorted.length - 1 - skipped]]
  return shortest === undefined || longest === undefined ? undefined : { from: from + shortest, to: to + longest }
}
