// What the admin side is given to work with: the journal, the lanes, and what only the bot can do.
import type { Journal, SweepRecord } from '../journal/types.ts'
import type { Lane } from '../queue/types.ts'
import type { Decision, MergeRequestRef } from '../rules/types.ts'

export type LaneName = 'deliveries' | 'mergeRequests' | 'ruleChanges' | 'sweeps' | 'timers' | 'notices'
export type DeskLane = Pick<
  Lane<unknown>,
  'counts' | 'oldest' | 'list' | 'get' | 'retry' | 'promote' | 'remove' | 'pause' | 'resume' | 'isPaused'
>

/** `unknown`: there is none of that id; `forgotten`: it concerned nobody, and its body is not kept any more. */
export type Replayed = { is: 'replayed'; number: number } | { is: 'unknown' } | { is: 'forgotten' }

export interface PausedProject {
  project: number
  /** ISO 8601. */
  at: string
  by: string
  why?: string
}

export interface Desk {
  journal: Journal
  /** The service's name in refs. */
  service: string
  now: () => number
  lanes: Record<LaneName, DeskLane>
  /** Has something judged again, on the state as it is now. */
  replay: Record<'delivery' | 'decision', (id: string, by: string, why?: string) => Promise<Replayed>>
  /** What would be decided now; nothing is sent. */
  dryRun: (mergeRequest: MergeRequestRef) => Promise<{ ok: true; decision: Decision } | { ok: false; reason: string }>
  paused: {
    list(): Promise<PausedProject[]>
    pause(paused: PausedProject): Promise<void>
    /** Gives how many merge requests had been held back, and are judged now. */
    resume(project: number): Promise<number>
  }
  /** Asks for a sweep of a project or group. */
  sweep: (of: string, dryRun: boolean) => Promise<SweepRecord>
}
