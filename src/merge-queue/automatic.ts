// Chooses what the settings of a merge queue leave open (`auto`), from the queue's own past. Pure.
import type { MergeQueueRecord, MergeQueueSettings } from './types.ts'

/** The settings that one plan follows. */
export interface FixedSettings extends Omit<MergeQueueSettings, 'speculate' | 'retries' | 'timeoutMs'> {
  speculate: { least: number; most: number }
  /** `least` suffice where the builds behind are red as well. */
  retries: { least: number; most: number }
  timeoutMs: number
}

const minuteMs = 60_000
const timeout = { usualMs: 90 * minuteMs, leastMs: 10 * minuteMs, mostMs: 24 * 60 * minuteMs, knownBuilds: 10 }
/** Builds at once; there is none without an entry. */
const mostBuilds = 32
/** What a queue without a past counts as: 0.4 failures in 25 pipelines. */
const prior = { failures: 0.4, pipelines: 25 }
/** The share of good members that may be removed by chance. */
const removedByChance = 0.00003
const mostRetries = 4

/** Replaces each `auto` by a number. */
export function fixed(settings: MergeQueueSettings, record: MergeQueueRecord): FixedSettings {
  const { speculate, retries, timeoutMs } = settings
  const { least, most } = speculate === 'auto' ? { least: mostBuilds, most: mostBuilds } : speculate
  return {
    ...settings,
    speculate: { least, most: most === 'auto' ? mostBuilds : most },
    retries: retries === 'auto' ? { least: 1, most: retriesFor(record) } : { least: retries, most: retries },
    timeoutMs: timeoutMs === 'auto' ? timeoutFor(record) : timeoutMs,
  }
}

/** So many that a pipeline that fails by chance as often as until now rarely fails in all of its attempts. */
function retriesFor({ recent }: MergeQueueRecord): number {
  const failures = recent.reduce((sum, landing) => sum + (landing.failures ?? 0), prior.failures)
  const pipelines = recent.reduce((sum, landing) => sum + (landing.failures ?? 0) + 1, prior.pipelines)
  const attempts = Math.ceil(Math.log(removedByChance) / Math.log(failures / pipelines))
  return Math.min(mostRetries, Math.max(1, attempts - 1))
}

/**
 * Twice what all but the slowest twentieth took; doubled for each pipeline that was stopped since the last landing, as
 * pipelines may have become slower.
 */
function timeoutFor({ recent, removals, removed = [] }: MergeQueueRecord): number {
  const known = recent.flatMap(({ testedMs }) => testedMs ?? []).sort((a, b) => a - b)
  const slow = known[Math.ceil(known.length * 0.95) - 1]
  if (slow === undefined || known.length < timeout.knownBuilds) return timeout.usualMs
  const last = recent[0]?.at ?? 0
  const stopped = [...removals, ...removed].filter(
    ({ reason, at }) => reason === 'pipeline_timeout' && at > last,
  ).length
  return Math.min(timeout.mostMs, Math.max(timeout.leastMs, 2 * slow) * 2 ** stopped)
}
