// The journal's interface: queries, pages and writes. What it stores is in record-types.ts.
import type { MergeQueueRecord } from '../merge-queue/types.ts'
import type { Actor, Memory, MergeRequestRef } from '../rules/types.ts'
import type { DecisionOutcome } from './decision-outcome.ts'
import type {
  AuditEntry,
  BranchRequests,
  DecisionRecord,
  DeliveryRecord,
  FlowCounts,
  MergeQueueEntry,
  MergeQueueNote,
  MergeQueueRef,
  MergeRequestName,
  PendingEvent,
  ProjectCounts,
  RefName,
  Replay,
  ReplayRef,
  RuleCounts,
  RuleFileKey,
  RuleFileRecord,
  SweepRecord,
} from './record-types.ts'
import type { MergeRequestTimes, TimesChange } from './time-figures.ts'

export type * from './record-types.ts'
export type { MergeRequestTimes } from './time-figures.ts'

/** ISO 8601; `until` is excluded. */
export interface TimeRange {
  since?: string
  until?: string
}

export interface DeliveryFilter extends TimeRange {
  project?: number
  mergeRequest?: MergeRequestRef
  state?: DeliveryRecord['state']
  /** The kind of its event, such as `note.create`. */
  kind?: string
  /** A rule that matched in one of its decisions. */
  rule?: string
  /** It led to such a decision; with a rule, to one in which that rule matched. */
  outcome?: 'failed'
}

export interface DecisionFilter extends TimeRange {
  mergeRequest?: MergeRequestRef
  project?: number
  /** A delivery whose events it settled, or that was replayed. */
  delivery?: string
  /** A rule that matched. */
  rule?: string
  outcome?: DecisionOutcome
  evaluation?: string
}

export interface PageRequest {
  limit: number
  after?: string
}

/** With many filters a page may have fewer items than the limit, or none, and still a `next`. */
export interface JournalPage<T> {
  items: T[]
  /** The `after` of the next page; absent at the end. */
  next?: string
}

export interface BranchRef {
  project: number
  branch: string
}

/** Every method throws JournalUnavailable when the store does not answer. */
export interface Journal {
  /**
   * Stores the body, if given, for `keepMs`. A delivery that is only `received` does not replace a later state of the
   * same delivery. Replays are stored by `addReplay`. `name`: of the merge request that the event is about.
   */
  saveDelivery(
    delivery: Omit<DeliveryRecord, 'replays'> & Partial<Pick<DeliveryRecord, 'replays'>>,
    body?: { text: string; keepMs: number },
    name?: MergeRequestName,
  ): Promise<void>
  /** Stores a replay, atomically; returns its number, from 1. */
  addReplay(of: Pick<ReplayRef, 'of' | 'id'>, replay: Replay): Promise<number>
  /** Oldest first. */
  replays(of: Pick<ReplayRef, 'of' | 'id'>): Promise<Replay[]>
  delivery(id: string): Promise<DeliveryRecord | undefined>
  /** Newest first. */
  deliveries(filter: DeliveryFilter & PageRequest): Promise<JournalPage<DeliveryRecord>>
  body(deliveryId: string): Promise<string | undefined>

  /**
   * Adds an event to the pending events of a merge request, once per delivery, also after its removal, for as long as
   * the delivery can be replayed. Adds nothing where another delivery brought the same content within ten minutes.
   * Returns the delivery that counts for the event.
   */
  addPendingEvent(mergeRequest: MergeRequestRef, entry: Omit<PendingEvent, 'seq'>): Promise<string>
  /** Oldest first. */
  pendingEvents(mergeRequest: MergeRequestRef): Promise<PendingEvent[]>
  /** Removes entries up to and including `seq`. */
  removePendingEvents(mergeRequest: MergeRequestRef, seq: number): Promise<void>

  memory(mergeRequest: MergeRequestRef): Promise<Memory | undefined>
  /** `over`: merged or closed; its memory is deleted after 30 days without a write. */
  saveMemory(mergeRequest: MergeRequestRef, memory: Memory, over?: boolean): Promise<void>

  /** Stores a push, once per delivery and atomically. `from` null: the branch's first push. */
  addPush(branch: BranchRef, push: { from: string | null; to: string; by: Actor }, deliveryId: string): Promise<void>
  pushes(branch: BranchRef): Promise<{ from: string | null; to: string; by: Actor }[]>

  /** The merge requests that come from a branch; deleted after an hour without a change. */
  branchRequests(branch: BranchRef): Promise<BranchRequests | undefined>
  /** Atomic: `to` may run again on a conflict; undefined leaves it as it is. */
  changeBranchRequests(
    branch: BranchRef,
    to: (before: BranchRequests | undefined) => BranchRequests | undefined,
  ): Promise<void>

  /** `name`: of its merge request. */
  saveDecision(decision: DecisionRecord, name?: MergeRequestName): Promise<void>
  decision(id: string): Promise<DecisionRecord | undefined>
  /** Newest first. */
  decisions(filter: DecisionFilter & PageRequest): Promise<JournalPage<DecisionRecord>>

  /** Stores what the change says of the times of the merge request; atomic; a repetition changes nothing. */
  noteTimes(mergeRequest: MergeRequestRef, change: TimesChange): Promise<void>
  /**
   * The times of the merge requests in which something ended in a week (UTC, from Monday) that begins in the range; the
   * newest weeks first, at most `limit`.
   */
  mergeRequestTimes(
    of: { project?: number; since: Date; until: Date },
    limit: number,
  ): Promise<{ mergeRequest: MergeRequestRef; times: MergeRequestTimes }[]>

  /** Counts for each five minutes from `from` to `until`, oldest first; stored for a day. */
  flowCounts(from: Date, until: Date): Promise<FlowCounts[]>
  projectCounts(project: number, now: Date): Promise<ProjectCounts>
  /** By `ruleCountName`; a rule that never matched and never was unknown is absent. */
  ruleCounts(project: number, now: Date): Promise<Map<string, RuleCounts>>

  mergeQueueEntry(mergeRequest: MergeRequestRef): Promise<MergeQueueEntry | undefined>
  /** Stores the entry, in place of that of the same merge request. */
  saveMergeQueueEntry(mergeRequest: MergeRequestRef, entry: MergeQueueEntry): Promise<void>
  removeMergeQueueEntry(mergeRequest: MergeRequestRef): Promise<void>
  /** In no order. */
  mergeQueueEntries(queue: MergeQueueRef): Promise<MergeQueueEntry[]>
  mergeQueue(queue: MergeQueueRef): Promise<MergeQueueRecord | undefined>
  /** Atomic: `to` may run again on a conflict; undefined leaves it as it is. */
  changeMergeQueue(
    queue: MergeQueueRef,
    to: (before: MergeQueueRecord | undefined) => MergeQueueRecord | undefined,
  ): Promise<void>
  /** Every queue that had an entry. */
  mergeQueues(): Promise<MergeQueueRef[]>
  mergeQueueNote(mergeRequest: MergeRequestRef): Promise<MergeQueueNote | undefined>
  saveMergeQueueNote(mergeRequest: MergeRequestRef, note: MergeQueueNote): Promise<void>

  /** In the order of the refs; those without an iid, or with the iid 0, are projects. */
  names(refs: readonly { project: number; iid?: number }[]): Promise<RefName[]>
  /** The id of the project that has, or had, this full path. */
  projectAt(path: string): Promise<number | undefined>
  /** The ids of stored deliveries, decisions or evaluations that begin so, newest first, at most `limit`. */
  idsFrom(of: 'delivery' | 'decision' | 'evaluation', prefix: string, limit: number): Promise<string[]>

  saveRuleFile(file: RuleFileRecord): Promise<void>
  ruleFile(file: RuleFileKey): Promise<RuleFileRecord | undefined>

  /** Small values about a project that outlive its merge requests; deleted after 400 days without a read. */
  projectMark(project: number, mark: string): Promise<string | undefined>
  markProject(project: number, mark: string, value: string): Promise<void>
  /** Changes a mark atomically: `to` may run again on a conflict; undefined leaves it as it is. */
  changeMark(project: number, mark: string, to: (before: string | undefined) => string | undefined): Promise<void>

  /** Projects whose merge requests a stored delivery was about. */
  knownProjects(): Promise<number[]>
  /** Until the next delivery about it. */
  forgetProject(project: number): Promise<void>
  saveSweep(sweep: SweepRecord): Promise<void>
  sweep(id: string): Promise<SweepRecord | undefined>

  /** Ends a dashboard session in every process. `id` holds no secret. */
  endSession(id: string): Promise<void>
  sessionEnded(id: string): Promise<boolean>

  saveAudit(entry: AuditEntry): Promise<void>
  /** Newest first. */
  audits(filter: PageRequest): Promise<JournalPage<AuditEntry>>

  /** Deletes what is past its retention, or above the limits (retention.ts). Tries each kind, then throws the first error. */
  prune(now: Date): Promise<void>
}
