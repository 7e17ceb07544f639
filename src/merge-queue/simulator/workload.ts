// The merge requests of a simulation: when they arrive, which of them fail, which of them conflict.
import { randomFrom } from './random.ts'

export interface WorkloadOptions {
  /** Merge requests in all. */
  count: number
  /** Arrivals an hour, at random times. */
  arrivals: number
  pipelineMs: number
  /** The share of merge requests that are red on the target, though their own pipelines were green. */
  bad: number
  /** The share of pipelines that fail by chance. */
  flaky: number
  /** The share of pairs, open at the same time, that cannot be merged together. */
  conflicts: number
  /** The share of pairs, open at the same time, that are red together though each is green. */
  pairs: number
  /** How long a landing takes, and each build's git. */
  stepMs: number
  /** Pipelines that run at once. */
  runners: number
  /** What people push to the target, an hour; and the share of these that turns it red, until it is repaired. */
  pushes: number
  red: number
  seed: number
  /** In place of random arrivals, and of `count` and `pipelineMs`. */
  past?: {
    /** In milliseconds since the first, in order. */
    arrivals: readonly number[]
    /** The duration of each pipeline is one of these, at random. */
    pipelines: readonly number[]
  }
}

/** Somebody pushes to the target, which turns it red or green, or leaves that as it is. */
export interface Push {
  at: number
  turns?: 'red' | 'green'
}

export interface Workload extends Omit<WorkloadOptions, 'pushes'> {
  pushes: readonly Push[]
  /** They arrive so many milliseconds after the start. */
  mergeRequests: readonly { iid: number; arrives: number; bad: boolean }[]
  /** The duration of the next pipeline, in milliseconds. */
  duration(random: () => number): number
  /** Whether two merge requests conflict; the order does not matter. */
  conflict(one: number, other: number): boolean
  /** Whether two merge requests are red together. */
  redTogether(one: number, other: number): boolean
}

/** What a team of some ten people may have. */
export const usualWorkload: WorkloadOptions = {
  count: 400,
  arrivals: 12,
  pipelineMs: 15 * 60_000,
  bad: 0.01,
  flaky: 0.02,
  conflicts: 0.001,
  pairs: 0.0002,
  stepMs: 2_000,
  runners: Number.POSITIVE_INFINITY,
  pushes: 0.2,
  red: 0.05,
  seed: 1,
}

/** Where nobody pushes to the target, and landings take no time. */
export const undisturbed = { pairs: 0, pushes: 0, stepMs: 0 }

const hourMs = 60 * 60_000
/** How long a red target stays red. */
const repairedAfterMs = 30 * 60_000

/** The same for the same options. */
export function createWorkload(options: WorkloadOptions): Workload {
  const random = randomFrom(options.seed)
  const { past, pipelineMs } = options
  let time = 0
  const mergeRequests = Array.from({ length: past?.arrivals.length ?? options.count }, (_, index) => {
    time = past?.arrivals[index] ?? time - Math.log(1 - random()) * (hourMs / options.arrivals)
    return { iid: index + 1, arrives: Math.round(time), bad: random() < options.bad }
  })
  const ofPair = (share: number, salt: number) => (one: number, other: number) => {
    const pair = Math.min(one, other) * (mergeRequests.length + 1) + Math.max(one, other)
    return share > 0 && randomFrom(options.seed ^ pair ^ salt)() < share
  }
  return {
    ...options,
    mergeRequests,
    pushes: pushesUntil(time, options),
    duration: (next) => past?.pipelines[Math.floor(next() * past.pipelines.length)] ?? pipelineMs,
    conflict: ofPair(options.conflicts, 0),
    redTogether: ofPair(options.pairs, 0x9a12),
  }
}

function pushesUntil(end: number, { pushes, red, seed }: WorkloadOptions): Push[] {
  const random = randomFrom(seed ^ 0x9054)
  const all: Push[] = []
  for (let at = 0; pushes > 0; ) {
    at -= Math.log(1 - random()) * (hourMs / pushes)
    if (at > end) break
    const turnsRed = random() < red
    all.push(turnsRed ? { at, turns: 'red' } : { at })
    if (turnsRed) all.push({ at: at + repairedAfterMs, turns: 'green' })
  }
  return all.sort((a, b) => a.at - b.at)
}
