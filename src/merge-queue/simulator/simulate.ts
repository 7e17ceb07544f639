// Runs the real planner on a virtual clock over a workload, and measures what people would see.
import { emptyRecord, plan } from '../plan.ts'
import type { Entry, MergeQueueSettings } from '../types.ts'
import { randomFrom } from './random.ts'
import { createVirtualService } from './virtual-service.ts'
import type { Workload } from './workload.ts'

export interface SimulationResult {
  merged: number
  /** Merge requests that are red on the target, or conflict with it, and were removed. */
  removed: number
  /** Removed, although they are green and conflict with nothing that landed. */
  removedGood: number
  mergedPerHour: number
  /** From entering to landing, in milliseconds. */
  waitP50: number
  waitP95: number
  pipelineMinutesPerMerge: number
}

/** More plans in a row, with steps in each, would be a loop. */
const mostPlansInARow = 1000
const hourMs = 60 * 60_000

/** Throws if the queue breaks its invariant, or does not come to rest. */
export function simulate(workload: Workload, settings: MergeQueueSettings): SimulationResult {
  const service = createVirtualService(workload)
  const waiting = new Map<number, Entry>()
  const waits: number[] = []
  let record = emptyRecord(settings)
  let removedBad = 0
  let removedGood = 0
  let last = 0
  let number = 0

  function carryOut(step: ReturnType<typeof plan>['steps'][number], now: number): void {
    if (step.do === 'build') service.build(step, now)
    else if (step.do === 'cancel') service.cancel(step.attempt, now)
    else if (step.do === 'discard') for (const attempt of step.attempts) service.discard(attempt, now)
    else if (step.do === 'land') {
      service.land(step.landing, settings.land, now)
      for (const { iid } of step.landing.members) {
        waits.push(now - (waiting.get(iid)?.since ?? now))
        waiting.delete(iid)
      }
      last = now
    } else if (step.do === 'remove') {
      const { member, reason } = step.removal
      waiting.delete(member.iid)
      if (reason === 'conflict' || workload.mergeRequests[member.iid - 1]?.bad) removedBad += 1
      else removedGood += 1
    } else throw new Error(step.do === 'notify' ? `paused: ${step.paused.reason}` : 'no pipeline is skipped here')
  }

  /** Plans and carries out until nothing is left to do; returns when to plan again without an event. */
  function settle(now: number): number | undefined {
    for (let turn = 0; turn < mostPlansInARow; turn += 1) {
      const observed = { ...service.observe(now), entries: [...waiting.values()], newNumber: () => ++number }
      const planned = plan(record, observed, settings, now)
      record = planned.record
      if (planned.steps.length === 0) return planned.changesAt
      for (const step of planned.steps) carryOut(step, now)
    }
    throw new Error('the planner does not come to rest')
  }

  const arrivals = [...workload.mergeRequests]
  let now = 0
  for (;;) {
    for (let next = arrivals[0]; next !== undefined && next.arrives <= now; next = arrivals[0]) {
      const { iid, arrives } = next
      arrivals.shift()
      waiting.set(iid, { iid, head: `head-${iid}`, since: arrives, priority: 0, frozen: false })
    }
    const changesAt = settle(now)
    const next = [arrivals[0]?.arrives, service.nextEnd(now), changesAt].filter((at) => at !== undefined)
    if (next.length === 0) break
    now = Math.min(...next)
  }
  if (waiting.size > 0) throw new Error(`${waiting.size} entries were left in the queue`)
  return {
    merged: waits.length,
    removed: removedBad,
    removedGood,
    mergedPerHour: waits.length / (last / hourMs),
    ...percentiles(waits),
    pipelineMinutesPerMerge: service.pipelineMs() / 60_000 / waits.length,
  }
}

/** What a queue that knows every verdict would reach: each good merge request lands when its only pipeline ends. */
export function oracle({ mergeRequests, duration, seed }: Workload): SimulationResult {
  const random = randomFrom(seed)
  const good = mergeRequests.filter(({ bad }) => !bad)
  const waits = good.map(() => duration(random))
  const last = Math.max(0, ...good.map(({ arrives }, index) => arrives + (waits[index] ?? 0)))
  return {
    merged: good.length,
    removed: mergeRequests.length - good.length,
    removedGood: 0,
    mergedPerHour: good.length / (last / hourMs),
    ...percentiles(waits),
    pipelineMinutesPerMerge: waits.reduce((sum, each) => sum + each, 0) / 60_000 / good.length,
  }
}

function percentiles(values: readonly number[]): { waitP50: number; waitP95: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { waitP50: at(0.5), waitP95: at(0.95) }
}
