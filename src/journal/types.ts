// What Bellhop remembers, as plain JSON: deliveries, mailboxes, rule memory, decisions, rule files.
import type { Actor, Decision, Event, Json, Memory, MergeRequestRef } from '../rules/types.ts'
import type { DecisionOutcome } from './decision-outcome.ts'
import type { DeliveryState } from './delivery-states.ts'

/** One web hook call. The raw body is kept apart, for a day mostly (it may carry CI variables). */
export interface DeliveryRecord {
  id: string
  service: string
  /** ISO 8601. */
  receivedAt: string
  /** The X-Gitlab-Event header as sent, cut to 100 characters. */
  header: string
  bytes: number
  state: DeliveryState
  /** Why it is unreadable, of no interest, or refused. */
  reason?: string
  /** What intake read: absent until then. */
  event?: Event
  mergeRequests: MergeRequestRef[]
  /** The project that its secret is of: it may speak of no other. */
  boundTo?: number
  /** Who replayed it and when, oldest first: the first is replay 1. */
  replays: Replay[]
}

/** Someone had it judged again. */
export interface Replay {
  /** ISO 8601. */
  at: string
  by: string
  why?: string
}

/** What was replayed, and the how-manieth time that was. */
export interface ReplayRef {
  of: 'delivery' | 'decision'
  id: string
  number: number
}

export interface DecisionRecord extends Decision {
  id: string
  /** The same for all decisions of one evaluation, each of which sent calls but the last. Absent in old records. */
  evaluation?: string
  /** The replays that asked for it. */
  replayOf?: ReplayRef[]
  mergeRequest: MergeRequestRef
  at: string
  /** Which deliveries' events this evaluation settled. */
  deliveries: string[]
  /** Milliseconds from the start of the evaluation to its end. */
  tookMs: number
  /** Milliseconds from the receipt of its oldest new event to its end; absent where no event was new. */
  waitedMs?: number
  /** What it was like before the calls, as far as that was read and passes: `labels`, `approved_by`. Absent where it was not read. */
  facts?: Record<string, Json>
}

/** A repository's rule file as last read; `good` is the last version that could be read as rules. */
export interface RuleFileRecord {
  service: string
  project: number
  path: string
  ref: string
  /** Of the repository's own file: the branch's head when it was read. */
  commit?: string
  /** Git blob of the content that was read last; null: the file does not exist. */
  blob: string | null
  text: string | null
  /** Present while the newest version is broken; its text is not in force. */
  problems: string[]
  good: { blob: string; text: string } | null
  readAt: string
  /** The project's full path, by which the operator's files and policy are for it. */
  projectPath?: string
  /** Of an included file: which project it is of, and its path there. */
  origin?: { project: number; path: string }
}

/** One sweep that a person asked for: how far it is, and what came of it. Kept for a day. */
export interface SweepRecord {
  id: string
  /** A project's or group's id or full path. */
  of: string
  /** It only says what it would wake. */
  dryRun: boolean
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Why it failed, or what it waits for at the moment. */
  reason?: string
  /** ISO 8601. */
  askedAt: string
  endedAt?: string
  projects: SweptProject[]
  /** How many projects there are to look at; absent until they were counted. */
  projectsInAll?: number
  /** The group is too large for one sweep: there are more projects than that. */
  notAllFound?: true
  /** API calls of the sweep itself. */
  calls: number
}

/** What a sweep found in one project. */
export interface SweptProject {
  project: number
  path?: string
  /** Merge requests that were looked at. */
  looked: number
  woken: { iid: number; why: 'changed' | 'never judged' | 'waits' | 'not judged for a day' | 'asked for' }[]
  /** The budget ended before the project did: the next sweep goes on. */
  left: boolean
  /** Why there is nothing to look at. */
  skipped?: string
  /** Why it could not be read. */
  failed?: string
}

/** Who pushed what to one merge request's source branch, and what Bellhop did to it. One evaluation at a time writes it. */
export interface MailboxEntry {
  /** Grows with each entry of one mailbox. */
  seq: number
  deliveryId: string
  event: Event
  /** Equal for two deliveries of one event. */
  content?: string
  /** Nothing happened: someone had it judged again. */
  replay?: ReplayRef
}

/** One request to the admin API that may have written something. Kept for 400 days. */
export interface AuditEntry {
  id: string
  /** ISO 8601. */
  at: string
  /** The name of the token. */
  by: string
  /** The operation, such as `replay_delivery`. */
  did: string
  /** The hosting service and the parameters. */
  to: Record<string, Json>
  why?: string
  /** The HTTP status that was answered; absent where it ended in the middle. */
  status?: number
}

/** What was counted of a stretch of time. */
interface Counted {
  /** Deliveries that were read, to whatever end. */
  deliveries: number
  /** Deliveries that could not be read, or were refused. */
  unread: number
  decisions: number
  /** Calls of decisions that were done. */
  done: number
  /** Calls of decisions that were refused, or of which nobody knows. */
  failed: number
}

/** Of five minutes. */
export interface FlowTally extends Counted {
  /** ISO 8601: their beginning. */
  at: string
  /** How many decisions came within each of WAIT_BOUNDS_MS of their oldest new event; the last number is of those that came later. */
  waited: number[]
}

/** Of one project, as long as the history is kept. */
export interface ProjectTally extends Counted {
  /** ISO 8601: when a delivery about it was received last. */
  lastDelivery?: string
}

/** Of one rule in one project, as long as the history is kept. */
export interface RuleTally {
  /** How often it held and a call of it was done. */
  acted: number
  /** How often it held, and nothing was done for it. */
  held: number
  unknown: number
  /** ISO 8601. */
  lastHeld?: string
}

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
  ruleFile(key: { service: string; project: number; path: string }): Promise<RuleFileRecord | undefined>

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

  saveAudit(entry: AuditEntry): Promise<void>
  /** Newest first. */
  audits(filter: Paged): Promise<Page<AuditEntry>>

  /** Drops what is older than its time, or more than is kept: 30 days for deliveries and decisions, a day for bodies, 90 days for rule files and pushes that nobody asked for, 400 days for the audit log. */
  prune(now: Date): Promise<void>
}
