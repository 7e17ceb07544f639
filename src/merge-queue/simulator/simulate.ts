// Runs the real planner on a virtual clock over a workload, and measures what people would see.
import { emptyRecord, plan } from '../plan.ts'
import type { Entry, MergeQueueRecord, MergeQueueSettings, MergeQueueStep } from '../types.ts'
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
  let record = emptyRecord()
  /** When each was removed, and whether that is right. */
  const removed = new Map<number, { entry: Entry; at: number; isRight: boolean }>()
  let last = 0
  let number = 0
  let now = 0

  function carryOut(step: MergeQueueStep): void {
    if (step.do === 'build' || step.do === 'land') now += workload.stepMs
    if (step.do === 'build') service.build(step, now)
    else if (step.do === 'cancel') service.cancel(step.attempt, now)
    else if (step.do === 'discard') for (const attempt of step.attempts) service.discard(attempt, now)
    else if (step.do === 'land') {
      if (!service.land(step.landing, settings.land, now)) return
      for (const { iid } of step.landing.members) {
        waits.push(now - (waiting.get(iid)?.since ?? now))
        waiting.delete(iid)
      }
      last = now
    } else if (step.do === 'remove') {
      const { member, reason, at } = step.removal
      const entry = waiting.get(member.iid)
      const isRight = reason === 'conflict' || service.isRed(member.iid)
      if (entry !== undefined) removed.set(member.iid, { entry, at, isRight })
      waiting.delete(member.iid)
    } else if (step.do !== 'notify' || step.paused.reason !== 'target_red')
      throw new Error(step.do === 'notify' ? `paused: ${step.paused.reason}` : 'no pipeline is skipped here')
  }

  /** Who was removed while the target was red. */
  function bringBack({ returned = [] }: MergeQueueRecord): void {
    for (const { member, at } of returned) {
      const found = removed.get(member.iid)
      if (found?.at !== at) continue
      removed.delete(member.iid)
      waiting.set(member.iid, found.entry)
    }
  }

  /** Plans and carries out until nothing is left to do; returns when to plan again without an event. */
  function settle(): number | undefined {
    for (let turn = 0; turn < mostPlansInARow; turn += 1) {
      const observed = { ...service.observe(now), entries: [...waiting.values()], newNumber: () => ++number }
      const planned = plan(record, observed, settings, now)
      record = planned.record
      if (planned.steps.length === 0) return planned.changesAt
      bringBack(record)
      // As the bot does: a landing goes first.
      const lands = planned.steps.some((step) => step.do === 'land')
      for (const step of planned.steps) if (!lands || (step.do !== 'build' && step.do !== 'discard')) carryOut(step)
    }
    throw new Error('the planner does not come to rest')
  }

  const arrivals = [...workload.mergeRequests]
  for (;;) {
    for (let next = arrivals[0]; next !== undefined && next.arrives <= now; next = arrivals[0]) {
      const { iid, arrives } = next
      arrivals.shift()
      waiting.set(iid, { iid, head: `head-${iid}`, since: arrives, priority: 0, frozen: false })
    }
    const changesAt = settle()
    const next = [arrivals[0]?.arrives, service.nextEvent(now), changesAt].filter((at) => at !== undefined)
    if (next.length === 0 || (arrivals.length === 0 && waiting.size === 0)) break
    now = Math.max(now, Math.min(...next))
  }
  if (waiting.size > 0) throw new Error(`${waiting.size} entries were left in the queue`)
  return {
    merged: waits.length,
    removed: [...removed.values()].filter(({ isRight }) => isRight).length,
    removedGood: [...removed.values()].filter(({ isRight }) => !isRight).length,
    mergedPerHour: waits.length / (last / hourMs),
    ...percentiles(waits),
    pipelineMinutesPerMerge: service.pipelineMs() / 60_000 / waits.length,
  }
}

/**
 * What a queue that knows every verdict would reach with the same runners, the same landing time and the same target:
 * each good merge request lands when its only pipeline ends, one after the other, while the target is green.
 */
export function oracle({ mergeRequests, duration, seed, runners, stepMs, pushes }: Workload): SimulationResult {
  const random = randomFrom(seed)
  const good = mergeRequests.filter(({ bad }) => !bad)
  const free: number[] = []
  const spent: number[] = []
  const ready = good.map(({ arrives }) => {
    const begins = free.length < runners ? arrives : Math.max(arrives, free.sort((a, b) => a - b).shift() ?? 0)
    const takes = duration(random)
    spent.push(takes)
    free.push(begins + takes)
    return { arrives, at: begins + takes }
  })
  let last = 0
  const waits = ready
    .sort((a, b) => a.at - b.at)
    .map(({ arrives, at }) => {
      const begins = Math.max(at, last)
      const turned = pushes.findLast((push) => push.at <= begins && push.turns !== undefined)
      const repaired = pushes.find((push) => push.at > begins && push.turns === 'green')?.at
      last = (turned?.turns === 'red' ? (repaired ?? begins) : begins) + stepMs
      return last - arrives
    })
  return {
    merged: good.length,
    removed: mergeRequests.length - good.length,
    removedGood: 0,
    mergedPerHour: good.length / (last / hourMs),
    ...percentiles(waits),
    pipelineMinutesPerMerge: spent.reduce((sum, each) => sum + each, 0) / 60_000 / good.length,
  }
}

function percentiles(values: readonly number[]): { waitP50: number; waitP95: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { waitP50: at(0.5), waitP95: at(0.95) }
}
