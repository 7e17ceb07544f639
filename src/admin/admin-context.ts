// What the admin API and the dashboard use of one hosting service: the journal, the queues, and operations of the bot.
import type * as z from 'zod'
import type { Journal } from '../journal/journal.ts'
import type { MergeQueueRef, PausedProject, ReplayResult, SweepRecord } from '../journal/types.ts'
import type { MergeQueueCount } from '../merge-queue/types.ts'
import type { QueueName } from '../queue/queue-names.ts'
import type { JobQueue } from '../queue/types.ts'
import type { Backtest } from '../rules/backtest/totals.ts'
import type { Freeze } from '../rules/language/values/freezes.ts'
import type { Overrides } from '../rules/testing/overrides.ts'
import type { Decision, MergeRequestRef, NewRuleLimit, ProjectPolicy, RuleFileInForce } from '../rules/types.ts'
import type { HookHealth, systemStatus } from './api/response-schemas.ts'

export type AdminQueue = Pick<
  JobQueue<unknown>,
  'counts' | 'oldest' | 'list' | 'get' | 'retry' | 'promote' | 'remove' | 'pause' | 'resume' | 'isPaused'
>

/** The rules of a project as last read. */
interface RulesInProject {
  files: RuleFileInForce[]
  policy: ProjectPolicy
  /** Problems of the repository's file and of what it includes: `FILE:LINE:COLUMN: …`. */
  problems: string[]
  projectPath: string
  branch: string
  commit?: string
  /** ISO 8601. */
  readAt: string
}

export interface AdminContext {
  journal: Journal
  now: () => number
  queues: Record<QueueName, AdminQueue>
  /** Evaluates again, on the present state. */
  replay: Record<'delivery' | 'decision', (id: string, by: string, why?: string) => Promise<ReplayResult>>
  /** What would be decided now, with these facts replaced; sends nothing. */
  dryRun: (
    mergeRequest: MergeRequestRef,
    overrides?: Overrides,
  ) => Promise<{ ok: true; decision: Decision } | { ok: false; reason: string }>
  /** Tries an edited text of a project's rule file. Sends and stores nothing. */
  ruleTrials: {
    /** The repository's file as it was read last; undefined if it never was, or there is none. */
    text(project: number): Promise<{ path: string; text: string } | undefined>
    explain(mergeRequest: MergeRequestRef, text: string, overrides: Overrides): ReturnType<AdminContext['dryRun']>
    backtest(
      project: number,
      text: string,
      last: number,
    ): Promise<{ ok: true; backtest: Backtest } | { ok: false; reason: string }>
  }
  paused: {
    list(): Promise<PausedProject[]>
    pause(paused: PausedProject): Promise<void>
    /** Returns how many merge requests were held back and are evaluated now. */
    resume(project: number): Promise<number>
  }
  /** Carries out what changed in the record of a merge queue; with an iid, that merge request is evaluated as well. */
  wakeMergeQueue: (queue: MergeQueueRef, iid?: number) => Promise<void>
  /** Counts what an operator did to a merge queue. */
  countMergeQueue: (what: MergeQueueCount) => void
  /** What this process knows of the hosting service, and its capacity for deliveries. */
  status: () => z.output<typeof systemStatus>
  /** Undefined if they were never read. Makes no API call. */
  rulesInProject: (project: number) => Promise<RulesInProject | undefined>
  /** Undefined if no rule of the project is new. Makes no API call. */
  newRuleLimit: (project: number) => Promise<NewRuleLimit | undefined>
  /** The project's rules are new no longer. */
  allowNewRules: (project: number) => Promise<void>
  /** `last` may be over. `change` begins or ends one, and evaluates the open merge requests. */
  freezes: {
    last(project: number): Promise<Freeze | undefined>
    change(project: number, freeze: Freeze): Promise<void>
  }
  /** When the bot's token expires, cached for minutes; undefined if it does not, or the service does not say. */
  tokenExpiry: () => Promise<{ date: string; daysLeft: number } | undefined>
  /** Reads the hook from the service, cached for minutes; undefined if Bellhop's own address is not set. */
  hookHealth: ((project: { id: number; path: string }) => Promise<HookHealth>) | undefined
  /** Requests a sweep of a project or group. */
  sweep: (of: string, dryRun: boolean) => Promise<SweepRecord>
}
