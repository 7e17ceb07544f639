// What a soak comes to: figures, and each broken promise with how to see it again.

import { historiesOf } from './history.ts'
import { ownMerges } from './merges.ts'
import type { Violation } from './record.ts'
import type { SoakResult } from './soak.ts'

export interface Report {
  queue: string
  seed: number
  minutes: number
  steps: number
  merge_requests: number
  hooks: number
  acknowledged: number
  never_arrived: number
  uncertain: number
  evaluations: number
  calls: number
  merges: number
  queued: number
  landed_by_queues: number
  flagged: number
  faults: Record<string, number>
  rest_seconds: number
  lost: number
  doubled: number
  wrong_merges: number
  other: number
  violations: Violation[]
}

const named = {
  lost: 'an acknowledged event is never lost',
  doubled: 'nothing acts twice',
  wrong: 'a merge is of what was evaluated',
}

/** The figures of one soak. */
export function reportOf(result: SoakResult): Report {
  const { queue, seed, minutes, steps, queued, restSeconds, record, faults, violations } = result
  const histories = historiesOf(record)
  const fated = (fate: string) => record.hooks.filter((hook) => hook.fate === fate).length
  const broken = (promise: string) => violations.filter((each) => each.promise === promise).length
  const [lost, doubled, wrong_merges] = [broken(named.lost), broken(named.doubled), broken(named.wrong)]
  return {
    queue,
    seed,
    minutes,
    steps,
    merge_requests: histories.length,
    hooks: record.hooks.length,
    acknowledged: fated('acknowledged'),
    never_arrived: fated('never arrived'),
    uncertain: fated('uncertain'),
    evaluations: record.log.evaluations.length,
    calls: record.calls.filter(({ caller }) => caller === record.bot.username).length,
    merges: ownMerges(record, histories),
    queued: queued.reduce((sum, { opened }) => sum + opened, 0),
    landed_by_queues: queued.reduce((sum, { landed }) => sum + landed, 0),
    flagged: record.uncertain.length,
    faults,
    rest_seconds: restSeconds,
    lost,
    doubled,
    wrong_merges,
    other: violations.length - lost - doubled - wrong_merges,
    violations,
  }
}

/** The figures as a table for people, then what was broken. */
export function printed(report: Report): string {
  const { violations, faults, ...figures } = report
  const rows = [
    ...Object.entries(figures),
    ...Object.entries(faults).map(([kind, times]) => [`fault, ${kind}`, times] as const),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const table = rows.map(([name, value]) => `  ${name.replaceAll('_', ' ').padEnd(width)}  ${value}`)
  const broken = violations.map(
    ({ promise, mergeRequest, detail }) => `BROKEN: ${promise}: ${mergeRequest ?? ''} ${detail}`,
  )
  return [...table, ...broken, ''].join('\n')
}
