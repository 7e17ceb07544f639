// What Bellhop remembers, as plain JSON: deliveries, mailboxes, rule memory, decisions, rule files.
import type { Decision, Event, Json, MergeRequestRef } from '../rules/types.ts'
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

export type RuleFileKey = Pick<RuleFileRecord, 'service' | 'project' | 'path'>

/** Of which version of a rule file a form is: of one that has rules, or of one that has problems. */
export type RuleFormKind = 'good' | 'broken'

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

/** What happened to a merge request and is not judged yet. */
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
