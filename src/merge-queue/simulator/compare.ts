// Compares the default merge queue with others on one workload.
import type { MergeQueueSettings } from '../types.ts'
import { oracle, type SimulationResult, simulate } from './simulate.ts'
import { createWorkload, type WorkloadOptions } from './workload.ts'

export interface ComparedQueue extends SimulationResult {
  queue: 'default' | 'yours' | 'one after the other' | 'batches' | 'oracle'
}

/** The settings of a queue that states none. */
export const defaultSettings: MergeQueueSettings = {
  test: 'branch',
  land: 'accept',
  speculate: 'auto',
  batch: { most: 1, waitMs: 0 },
  retries: 'auto',
  timeoutMs: 'auto',
}
const alone: MergeQueueSettings = { ...defaultSettings, speculate: { least: 1, most: 1 } }

/** With `yours`, also of a queue with these settings. Throws if a queue breaks its invariant. */
export function compareQueues(options: WorkloadOptions, yours?: MergeQueueSettings): ComparedQueue[] {
  const workload = createWorkload(options)
  return [
    { queue: 'default', ...simulate(workload, defaultSettings) },
    ...(yours === undefined ? [] : [{ queue: 'yours' as const, ...simulate(workload, yours) }]),
    { queue: 'one after the other', ...simulate(workload, alone) },
    { queue: 'batches', ...simulate(workload, { ...alone, land: 'push', batch: { most: 8, waitMs: 0 } }) },
    { queue: 'oracle', ...oracle(workload) },
  ]
}
