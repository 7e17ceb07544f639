// What the admin side is given to work with: the journal, the lanes, and what only the bot can do.
import type { Journal, SweepRecord } from '../journal/types.ts'
import type { Lane } from '../queue/types.ts'
import type { Suppositions } from '../rules/suppositions.ts'
import type { Decision, MergeRequestRef, ProjectPolicy, RuleFileInForce } from '../rules/types.ts'

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

/** How this process is, and what it knows of the service. */
export interface Conditions {
  service: { is: string; since?: number; reason?: string }
  room: { is: string; reason?: string }
  /** Absent where the service says nothing of it. */
  rateLimit?: { remaining?: number | undefined; resetAt?: number | undefined } | undefined
}

/** The rules of a project as they were read last. */
export interface KnownRules {
  files: RuleFileInForce[]
  policy: ProjectPolicy
  /** What is wrong with the repository's file and with what it includes: `FILE:LINE:COLUMN: …`. */
  problems: string[]
  projectPath: string
  branch: string
  commit?: string
  /** ISO 8601. */
  readAt: string
}

/** What the service says of a project's hook. */
export interface HookHealth {
  /** `as it should be`, `missing`, `disabled`, `wrong`, `deliveries fail`, `failed` (it could not be asked). */
  result: string
  details: string[]
  bad: boolean
  /** ISO 8601: when it was asked. */
  askedAt: string
}

export interface Desk {
  journal: Journal
  /** The service's name in refs. */
  service: string
  now: () => number
  lanes: Record<LaneName, DeskLane>
  /** Has something judged again, on the state as it is now. */
  replay: Record<'delivery' | 'decision', (id: string, by: string, why?: string) => Promise<Replayed>>
  /** What would be decided now, and if that were so; nothing is sent. */
  dryRun: (
    mergeRequest: MergeRequestRef,
    suppositions?: Suppositions,
  ) => Promise<{ ok: true; decision: Decision } | { ok: false; reason: string }>
  paused: {
    list(): Promise<PausedProject[]>
    pause(paused: PausedProject): Promise<void>
    /** Gives how many merge requests had been held back, and are judged now. */
    resume(project: number): Promise<number>
  }
  conditions: () => Conditions
  /** Undefined where they were never read. Costs no call. */
  rulesOf: (project: number) => Promise<KnownRules | undefined>
  /** Asks the service, or remembers what it said a while ago; undefined where Bellhop is not told by which address hooks reach it. */
  hookHealth: ((project: { id: number; path: string }) => Promise<HookHealth>) | undefined
  /** Asks for a sweep of a project or group. */
  sweep: (of: string, dryRun: boolean) => Promise<SweepRecord>
}
