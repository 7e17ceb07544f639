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
  seed: number
  /** In place of random arrivals, and of `count` and `pipelineMs`. */
  past?: {
    /** In milliseconds since the first, in order. */
    arrivals: readonly number[]
    /** The duration of each pipeline is one of these, at random. */
    pipelines: readonly number[]
  }
}

export interface Workload extends WorkloadOptions {
  /** They arrive so many milliseconds after the start. */
  mergeRequests: readonly { iid: number; arrives: number; bad: boolean }[]
  /** The duration of the next pipeline, in milliseconds. */
  duration(random: () => number): number
  /** Whether two merge requests conflict; the order does not matter. */
  conflict(one: number, other: number): boolean
}

/** What a team of some ten people may have. */
export const usualWorkload: WorkloadOptions = {
  count: 400,
  arrivals: 12,
  pipelineMs: 15 * 60_000,
  bad: 0.01,
  flaky: 0.02,
  conflicts: 0.001,
  seed: 1,
}

const hourMs = 60 * 60_000

/** The same for the same options. */
export function createWorkload(options: WorkloadOptions): Workload {
  const random = randomFrom(options.seed)
  const { past, pipelineMs } = options
  let time = 0
  const mergeRequests = Array.from({ length: past?.arrivals.length ?? options.count }, (_, index) => {
    time = past?.arrivals[index] ?? time - Math.log(1 - random()) * (hourMs / options.arrivals)
    return { iid: index + 1, arrives: Math.round(time), bad: random() < options.bad }
  })
  return {
    ...options,
    mergeRequests,
    duration: (next) => past?.pipelines[Math.floor(next() * past.pipelines.length)] ?? pipelineMs,
    conflict(one, other) {
      const pair = Math.min(one, other) * (mergeRequests.length + 1) + Math.max(one, other)
      return options.conflicts > 0 && randomFrom(options.seed ^ pair)() < options.conflicts
    },
  }
}
