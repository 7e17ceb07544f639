// The terms of the rule engine as plain-JSON types: event, merge request, fact, rule, decision, memory.
import type { RemovalReason } from '../merge-queue/types.ts'
import type { Call, CallOutcome, CallResponse } from './call-types.ts'
import type { Actor, MergeRequestRef, Occurrence } from './event-types.ts'
import type { PatternBudgets } from './language/patterns/pattern-budget.ts'
import type { Freeze } from './language/values/freezes.ts'
import type { Json, Mode, ProjectPolicy, RuleFileInForce, Verdict, WaitingCause } from './language/values/rule-types.ts'

export type * from './call-types.ts'
export type * from './event-types.ts'
export type * from './language/values/rule-types.ts'

/** One read call of the API, which several facts use. `note@17` belongs to one event. */
export type SourceName = string
export type SourceAnswer =
  /** `complete` is false if the service cut the list (`overflow`, a page limit): `all` and `none` are then unknown. */
  | { ok: true; body: unknown; complete: boolean }
  /** Permanently unknown: 403, 404, or an unreadable body. `reason` is a sentence for people. */
  | { ok: false; reason: string; status?: number }
export type SourceAnswers = Record<SourceName, SourceAnswer>

/** A fact's value: known, not read yet, or permanently absent. Absent is not empty. */
export type FactValue =
  /**
   * `remark` explains the value: "pipeline 12 is of an older commit". `missing`: what an incomplete list leaves out, if
   * the service did not cut it. `toFix`: how to fix this value, in place of the fact's own words.
   */
  | { is: 'known'; value: Json; complete: boolean; remark?: string; missing?: string; toFix?: string }
  | { is: 'unread'; source: SourceName }
  | { is: 'absent'; reason: string }

/** One condition with its expected and actual value, as the journal stores it and `explain` shows it. */
export interface Trace {
  /** `labels`, `changed_files`, or the combinator `all`, `any`, `not`. */
  condition: string
  verdict: Verdict
  /** In words: `any of "dependencies"`. */
  expected: string
  /** In words; for unknown, the reason. */
  actual: string
  /** What would make it true; absent if it is. */
  toFix?: string
  /** It is about members of a group, which change without a trace. */
  ofGroup?: true
  children?: Trace[]
}

export interface RuleTrace {
  /** `<file>#<rule name>`, the rule's name in memory and journal; for an event rule, `@<event id>` follows. */
  key: string
  name: string
  file: string
  line: number
  verdict: Verdict
  /** It turned from false to true since the last decision, or the rule changed. */
  became: boolean
  /** Changes with the content of the rule; a new line number is no change. */
  fingerprint: string
  conditions: Trace
  actions: ActionTrace[]
  /** The event that an event rule is evaluated for; absent if there was none. */
  event?: Occurrence
  /** What it is for, if that is one of these. */
  leadsTo?: 'merge' | 'approve' | 'close'
  /** Absent for `act`. A rule in mode `observe` may see overridden facts. */
  mode?: Exclude<Mode, 'act'>
}

/**
 * An action has one of five outcomes. Three types record them: when planned, when sent, and for a lost response:
 *
 * | outcome | `ActionTrace.result`                        | `CallResponse.result`         | `CallOutcome`             |
 * |---------|---------------------------------------------|-------------------------------|---------------------------|
 * | done    | `call`, as its response says                | `done`, `already`             | `done`                    |
 * | skipped | `nothing_to_do`, `done_before`, `overruled` |                               |                           |
 * | blocked | `blocked`, `waits`                          | `moved`, `not_now`, `dropped` |                           |
 * | failed  |                                             | `refused`                     | `not_done`: sent again    |
 * | unknown |                                             | `ambiguous`                   | `unknown`: never repeated |
 */
export interface ActionTrace {
  action: string
  /**
   * `call`: a call is sent. `nothing_to_do`: the state is already as requested. `done_before`: it was done since the
   * rule matched. `blocked`: something does not allow it. `overruled`: another rule comes first. `waits`: not yet.
   */
  result: 'call' | 'nothing_to_do' | 'done_before' | 'blocked' | 'overruled' | 'waits'
  detail: string
  /** The action's own conditions, if they are not all true. */
  conditions?: Trace
  /** The rule is in mode `observe`: the call is shown, but not sent. */
  dryRun?: true
  /** The merge queue that it is in, as requested. */
  queue?: string
  /** The new-rule limit blocks it until then (ISO 8601). */
  limitedUntil?: string
  /** What it waits for, if its conditions do not say it. */
  waitsFor?: WaitingCause
  /** The rule does not request it: an earlier effect is withdrawn, because no rule requests it any more. */
  withdrawal?: true
}

/** The new-rule limit of one project. */
export interface NewRuleLimit {
  perHour: number
  /** `<file>#<rule name>` */
  newRules: string[]
  /** The actions that reached the limit, and until when (ISO 8601). */
  full: Record<string, string>
}

export interface DecideInput {
  /** In any order: the operator's files always come before the repository's. */
  files: RuleFileInForce[]
  mergeRequest: MergeRequestRef
  answers: SourceAnswers
  memory: Memory
  /** The events since the last decision, oldest first. */
  events: Occurrence[]
  /** ISO 8601. */
  now: string
  bot: { id: number; username: string }
  /** The label that turns Bellhop off for a merge request. */
  offLabel?: string
  /** Absent if the rules act, and the repository's may use every action. */
  policy?: ProjectPolicy
  newRuleLimit?: NewRuleLimit
  /** The last freeze by hand of the project, which may be over. */
  freeze?: Freeze
  /** `bellhop run`, which keeps no freeze: its journal may be lost. */
  withoutServer?: boolean
  /** The page of the dashboard about it; absent if the public address of Bellhop is not known. */
  page?: string
  /** For public text: facts have only the values that every reader of the merge request may read. */
  publicOnly?: true
  /** `mergeRequestPipelines`: its merge requests have their own pipelines, so a branch pipeline does not count. */
  project: { mergeRequestPipelines: boolean }
  /**
   * What the merge queue says about the entry that memory names. `lost`: no such entry is stored. `returned`: its
   * removal does not count, because the target was red.
   */
  queueEntry?: {
    progress?: string
    removed?: { reason: RemovalReason; at: string; link?: string; words?: string }
    lost?: true
    returned?: true
  }
  /** Replace what the service says: for what-if, rule tests, backtests, stated facts. Never set if calls are sent. */
  overrides?: readonly Override[]
  /** What patterns may still take: several decisions of one evaluation share it. Absent for a full budget. */
  budgets?: PatternBudgets
}

/** The decision, or the sources to read first. */
export type DecideResult = { needs: SourceName[] } | { decision: Decision }

/** A fact with another value, or a list with entries added or removed. */
export type Override =
  /** `isPublic`: every reader may read it. */
  | { fact: string; is: Exclude<FactValue, { is: 'unread' }>; isPublic?: true }
  | { fact: string; add: string[] }
  | { fact: string; remove: string[] }

/** What is remembered about one merge request between decisions. */
export interface Memory {
  /** `dropped`: a text for each action that was done only in part. */
  rules: Record<string, { fingerprint: string; matched: boolean; done: string[]; dropped?: Record<string, string> }>
  /** The actions that event rules did for pending events: event id → rule → actions. */
  events?: Record<string, Record<string, string[]>>
  /** Requests of events that are evaluated as state while the head stays. */
  standing?: StandingRequest[]
  /** ISO 8601: the last activity of anyone but Bellhop, according to deliveries. */
  activeAt?: string
  /** The newest pending event's delivery, and when an evaluation first saw it (epoch ms): delays grow from then. */
  waits?: { since: number; delivery: string }
  /** The actions that an event's request restrains: for which head, and by which rule (`<file>#<rule name>`). */
  restrained?: Record<string, { head: string; by: string }>
  /** What actions remember, by their names: each has its type in the action's own file. */
  of?: Record<string, Json>
  /** A call that may have been done: its response was lost, or the process ended before it. */
  pending?: PendingCall
  /** The last calls whose outcome could not be found out. They are not repeated. */
  uncertain?: { at: string; detail: string }[]
  /** For each kind of event, when a call that raises one was last made, or may have been. */
  raised?: Record<string, string>
  /** When each recent call was made, for the loop guard. */
  sent?: Record<string, string[]>
  /** The head and target branch evaluated last. `mayBeRebased`: Bellhop had the service rebase it, or may have. */
  evaluated?: { head: string; target?: string; mayBeRebased?: true }
  /**
   * A rebase by Bellhop changed the content, or may have. `by`: the users (ids) whose approvals from before it still
   * exist; absent if they were not read since, so that it may be all.
   */
  oldApprovals?: { by?: number[] }
  /** By the id of a user who approved: the head that the approval is for. */
  approvals?: Record<number, string>
  /**
   * Pushes to the source branch, oldest first. History begins at `from` of the first. `at`: a push event showed it.
   * `unknown`: it stands for pushes that nothing tells, and says why.
   */
  pushes: { from: string | null; to: string; by: Actor; at?: string; unknown?: string }[]
}

export interface PendingCall {
  call: Call
  /** ISO 8601: when it was sent, or its response was lost. */
  at: string
  /** The calls that the same decision made before it. */
  earlier: Call[]
  /** The memory if it was done. */
  ifDone: Memory
}

/** An event's request that stays until it is done, withdrawn, or the head moves. */
export interface StandingRequest {
  /** `<file>#<rule name>` */
  rule: string
  fingerprint: string
  head: string
  /** The target branch at the time of the request; absent if unknown. */
  target?: string
  occurrence: Occurrence
  /** The rule's actions that are still requested. */
  actions: string[]
}

/** The result of one evaluation of one merge request, with the trace that explains it. */
export interface Decision {
  rules: RuleTrace[]
  calls: Call[]
  responses: CallResponse[]
  head: string | null
  /** Target branch that was evaluated; absent if it is not known. */
  target?: string
  /** The state that was evaluated, such as `opened`; absent if it is not known. */
  state?: string
  /** The rule files it was evaluated by; `commit` and `broken` as in RuleFileInForce. */
  files: { path: string; blob: string | null; commit?: string; broken?: true }[]
  /** What actions found out without a call, for their `notice`. */
  noticed?: { action: string; memo: Json }[]
  /** The outcome of the pending call. */
  settled?: { call: Call; outcome: CallOutcome; detail: string }
  /** One sentence for each call with an unknown outcome, which is not repeated. */
  uncertain?: string[]
  /** The calls that rules in mode `observe` would have sent. */
  dryRunCalls?: Call[]
  /** Why only withdrawals are made: the label that turns Bellhop off, the loop guard, or a pending call. */
  paused?: string
  /** Why the label that turns Bellhop off is ignored. */
  offIgnored?: string
  /** Evaluate again after this many milliseconds, even without an event (the service is still checking). */
  againInMs?: number
  /** ISO 8601: when a verdict may change without an event (an age, the clock). */
  changesAt?: string
}
