// The journal as the rest of Bellhop sees it: what is asked of it, page by page, and what it does. What it keeps is in record-types.ts.
import type { Actor, Memory, MergeRequestRef } from '../rules/types.ts'
import type { DecisionOutcome } from './decision-outcome.ts'
import type {
  AuditEntry,
  DecisionRecord,
  DeliveryRecord,
  FlowTally,
  MailboxEntry,
  ProjectTally,
  Replay,
  ReplayRef,
  RuleFileKey,
  RuleFileRecord,
  RuleFormKind,
  RuleTally,
  SweepRecord,
} from './record-types.ts'

export type * from './record-types.ts'

/** A stretch of time, ISO 8601: from `since`, and before `until`. */
export interface Within {
  since?: string
  until?: string
}

export interface DeliveryFilter extends Within {
  service?: string
  project?: number
  mergeRequest?: MergeRequestRef
  state?: DeliveryRecord['state']
  /** Of its event, such as `note.create`. */
  kind?: string
  /** The name of a rule that held in a decision that it led to. */
  rule?: string
  /** Led to a decision of that outcome; with a rule, to one in which it held. */
  outcome?: 'failed'
}

export interface DecisionFilter extends Within {
  service?: string
  mergeRequest?: MergeRequestRef
  project?: { service: string; project: number }
  /** One whose events it settled, or that was replayed. */
  delivery?: string
  /** The name of a rule that held. */
  rule?: string
  outcome?: DecisionOutcome
  evaluation?: string
}

export interface Paged {
  limit: number
  after?: string
}

/** With many filters a page may have fewer items than were asked for, or none, and yet a `next`. */
export interface Page<T> {
  items: T[]
  /** Give it back to read on; absent at the end. */
  next?: string
}

/** One small interface, two implementations, one test suite. Every method throws JournalUnavailable when the store does not answer. */
export interface Journal {
  /**
   * Who replayed it is not of the record's own: that is added apart. Its body, where there is one, is kept for so long. One that was only
   * `received` does not replace what is known of what came at the same time: it may be written late, when another process has read it.
   */
  saveDelivery(
    delivery: Omit<DeliveryRecord, 'replays'> & Partial<Pick<DeliveryRecord, 'replays'>>,
    body?: { text: string; keepMs: number },
  ): Promise<void>
  /** Notes who replayed a delivery or a decision and when, whatever else is written about it at once; gives the number of the replay, from 1. */
  addReplay(of: Pick<ReplayRef, 'of' | 'id'>, replay: Replay): Promise<number>
  /** Oldest first. */
  replays(of: Pick<ReplayRef, 'of' | 'id'>): Promise<Replay[]>
  delivery(id: string): Promise<DeliveryRecord | undefined>
  /** Newest first. */
  deliveries(filter: DeliveryFilter & Paged): Promise<Page<DeliveryRecord>>
  body(deliveryId: string): Promise<string | undefined>

  /**
   * Adds one event to a merge request's mailbox; the same delivery's event is kept once, also after it was removed, for as long as it can be
   * replayed. Where another delivery brought an event of the same content to the same merge request within ten minutes, nothing is added.
   * Gives the delivery that counts for the event; posted again for as long as a delivery can be replayed, the same.
   */
  post(mergeRequest: MergeRequestRef, entry: Omit<MailboxEntry, 'seq'>): Promise<string>
  /** Oldest first; they stay until removed. */
  mailbox(mergeRequest: MergeRequestRef): Promise<MailboxEntry[]>
  /** Removes the entries up to and with `seq`. */
  removeMail(mergeRequest: MergeRequestRef, seq: number): Promise<void>

  memory(mergeRequest: MergeRequestRef): Promise<Memory | undefined>
  /** `over`: it is merged or closed, and what is remembered of it is forgotten when nobody touches it for 30 days. */
  saveMemory(mergeRequest: MergeRequestRef, memory: Memory, over?: boolean): Promise<void>

  /** Who pushed what to a branch, oldest first, the last 100 (atomic: several intakes may add at once); `from` null is the branch's first push. The same delivery's push is kept once. */
  addPush(
    branch: { service: string; project: number; branch: string },
    push: { from: string | null; to: string; by: Actor },
    deliveryId: string,
  ): Promise<void>
  pushes(branch: { service: string; project: number; branch: string }): Promise<{ from: string | null; to: string; by: Actor }[]>

  saveDecision(decision: DecisionRecord): Promise<void>
  decision(id: string): Promise<DecisionRecord | undefined>
  /** Newest first. */
  decisions(filter: DecisionFilter & Paged): Promise<Page<DecisionRecord>>

  /** What happened in the stretches of five minutes from the one that holds `from` to `until`, each of them, oldest first; nothing is kept for more than a day. */
  flow(service: string, from: Date, until: Date): Promise<FlowTally[]>
  projectTally(service: string, project: number, now: Date): Promise<ProjectTally>
  /** By the rules' names as `ruleTallyName` gives them; a rule that never held, and never was unknown, is absent. */
  ruleTallies(service: string, project: number, now: Date): Promise<Map<string, RuleTally>>

  saveRuleFile(file: RuleFileRecord): Promise<void>
  ruleFile(file: RuleFileKey): Promise<RuleFileRecord | undefined>
  /** Keeps what was read from the last good version of a rule file, or from the broken one after it, in the place of what was kept before; forgotten with the file. */
  saveRuleForm(file: RuleFileKey, kind: RuleFormKind, form: string): Promise<void>
  /** Both, as far as they are there. */
  ruleForms(file: RuleFileKey): Promise<string[]>

  /** Small facts about a project that outlive its merge requests, such as "its merge requests have merge request pipelines". Forgotten when nobody asks for them for 400 days. */
  projectMark(service: string, project: number, mark: string): Promise<string | undefined>
  markProject(service: string, project: number, mark: string, value: string): Promise<void>
  /** Makes a mark of what it was, atomically: `to` may be asked again, when another was faster. Undefined leaves it as it is. */
  changeMark(service: string, project: number, mark: string, to: (before: string | undefined) => string | undefined): Promise<void>

  /** Ids of the projects whose merge requests a delivery has woken within the time that deliveries are kept. */
  knownProjects(service: string): Promise<number[]>
  /** No longer known, until a delivery wakes a merge request of it again. */
  forgetProject(service: string, project: number): Promise<void>
  saveSweep(sweep: SweepRecord): Promise<void>
  sweep(id: string): Promise<SweepRecord | undefined>

  /** Ends a session of the dashboard in every process; kept for a day, longer than any session lasts. `id` holds no secret. */
  endSession(id: string): Promise<void>
  sessionEnded(id: string): Promise<boolean>

  saveAudit(entry: AuditEntry): Promise<void>
  /** Newest first. */
  audits(filter: Paged): Promise<Page<AuditEntry>>

  /** Drops what is older than its time, or more than is kept: 30 days for deliveries and decisions, a day for bodies, 90 days for rule files and pushes that nobody asked for, 400 days for the audit log. */
  prune(now: Date): Promise<void>
}
