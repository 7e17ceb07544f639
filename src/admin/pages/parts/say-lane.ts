// What each lane does, for people.
import type { LaneName } from '../../desk.ts'

const texts: Record<LaneName, string> = {
  deliveries: 'Deliveries to read',
  mergeRequests: 'Merge requests to judge',
  ruleChanges: 'Merge requests that change rules',
  sweeps: 'Sweeps',
  timers: 'Timers',
  notices: 'Notices to the operator',
}

/** Of what is no lane, its name. */
export const sayLane = (lane: string): string => Object.entries(texts).find(([name]) => name === lane)?.[1] ?? lane
