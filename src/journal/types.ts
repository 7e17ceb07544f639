// What the journal stores, as plain JSON, and the filters and pages of its lists.

import type { Entry } from '../merge-queue/types.ts'
import type { DecisionOutcome } from '../rules/explain/decision-outcome.ts'
import type { NamedRef } from '../rules/facts/definition/subject-ref.ts'
import type { Decision, Event, Json, MergeRequestRef } from '../rules/types.ts'

/** One delivery. Its raw body, which may hold CI variables, is stored separately and for a shorter time. */
export interface DeliveryRecord {
  id: string
  /** ISO 8601. */
  receivedAt: string
  /** The X-Gitlab-Event header as sent, cut to 100 characters. */
  header: string
  bytes: number
  state: DeliveryState
  /** Why no merge request is affected, or it is unreadable or refused. */
  reason?: string
  /** Absent until intake has read it. */
  event?: Event
  mergeRequests: MergeRequestRef[]
  /** The project of its secret: it may be about no other. */
  secretProject?: number
  /** Oldest first: the first is replay 1. */
  replays: Replay[]
}

/** What a person requested. */
interface PersonalRequest {
  /** ISO 8601. */
  at: string
  by: string
  why?: string
}

export type Replay = PersonalRequest

/** The answer to a replay request. `unknown`: no such id; `body_expired`: no merge request, and its body is deleted. */
export type ReplayResult = { is: 'replayed'; number: number } | { is: 'unknown' } | { is: 'body_expired' }

/** What was replayed, and the number of the replay, from 1. */
export interface ReplayRef {
  of: 'delivery' | 'decision'
  id: string
  number: number
}

export interface DecisionRecord extends Decision {
  id: string
  /** The same for all decisions of one evaluation. */
  evaluation?: string
  replayOf?: ReplayRef[]
  mergeRequest: MergeRequestRef
  at: string
  /** The deliveries whose events it settled. */
  deliveries: string[]
  /** Milliseconds. */
  tookMs: number
  /** Milliseconds from the receipt of its oldest new event to its end; absent if no event was new. */
  waitedMs?: number
  /** Facts that the calls may change (`labels`, `approved_by`), as they were before. Absent if not read. */
  facts?: Record<string, Json>
}

/** A project as the API names it. */
export interface ProjectName {
  path: string
  url: string
}

/** A merge request as the service last named it. */
export interface MergeRequestName {
  title: string
  url: string
}

/** What is known of the names of a project or merge request; `url` is a page of the service. */
export type RefName = Pick<NamedRef, 'path' | 'title' | 'url'>

/** A repository's rule file as last read; `good` is the last version without problems. */
export interface RuleFileRecord {
  project: number
  path: string
  ref: string
  /** For the repository's own file: the head of the branch when it was read. */
  commit?: string
  /** Git blob that was read last; null: the file does not exist. */
  blob: string | null
  text: string | null
  /** Set while the newest version is broken; it is not in force. */
  problems: string[]
  good: { blob: string; text: string } | null
  readAt: string
  /** The project's full path, which selects the operator's files and policy. */
  projectPath?: string
  /** The page of the project. */
  projectUrl?: string
  /** For an included file: its project and its path there. */
  origin?: { project: number; path: string }
}

/** One sweep that a person requested; stored for a day. */
export interface SweepRecord {
  id: string
  /** A project's or group's id or full path. */
  of: string
  dryRun: boolean
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Why it failed, or what it waits for now. */
  reason?: string
  /** ISO 8601. */
  askedAt: string
  endedAt?: string
  projects: SweptProject[]
  /** Absent until the projects were counted. */
  projectsInAll?: number
  /** The group has more projects than one sweep covers. */
  notAllFound?: true
  /** API calls of the sweep itself. */
  calls: number
}

/** The sweep of one project. */
export interface SweptProject {
  project: number
  path?: string
  looked: number
  enqueued: { iid: number; why: 'changed' | 'never_evaluated' | 'waits' | 'not_evaluated_for_a_day' | 'requested' }[]
  /** The budget ended first: the next sweep continues. */
  left: boolean
  skipped?: string
  failed?: string
}

/** An event that no evaluation has processed. */
export interface PendingEvent {
  /** Increases with each entry of a merge request. */
  seq: number
  deliveryId: string
  event: Event
  /** Equal for two deliveries of one event. */
  content?: string
  /** The `traceparent` of the delivery, if it was traced. */
  trace?: string
  replay?: ReplayRef
}

/** One request to the admin API that may have changed something; stored for 400 days. */
export interface AuditEntry extends PersonalRequest {
  id: string
  /** Such as `replay_delivery`. */
  operation: string
  to: Record<string, Json>
  /** Absent if the request broke off. */
  status?: number
}

interface EventCounts {
  deliveries: number
  /** Unreadable or refused. */
  unread: number
  decisions: number
  /** Successful calls. */
  done: number
  /** Calls that were refused, or whose effect is unknown. */
  failed: number
}

/** The counts of five minutes. */
export interface FlowCounts extends EventCounts {
  /** ISO 8601: the start. */
  at: string
}

/** The counts of one project, for as long as history is stored. */
export interface ProjectCounts extends EventCounts {
  /** ISO 8601. */
  lastDelivery?: string
}

/** The counts of one rule in one project, for as long as history is stored. */
export interface RuleCounts {
  /** Matched, and a call was made. */
  acted: number
  /** Matched, and there was nothing to do. */
  matched: number
  unknown: number
  /** ISO 8601. */
  lastMatched?: string
}

/** A project whose merge requests are not evaluated until it is resumed. */
export interface PausedProject extends PersonalRequest {
  project: number
}

/** The merge queue of one target branch. */
export interface MergeQueueRef {
  project: number
  target: string
}

/** A merge request in a merge queue. Only its own evaluation writes it. */
export interface MergeQueueEntry extends Entry {
  /** The name of the queue in the rule file. */
  queue: string
  target: string
  squash?: boolean
  removeSourceBranch?: boolean
}

/** Bellhop's note about the merge queue. */
export interface MergeQueueNote {
  /** Absent: it may have been created, and its response was lost. */
  id?: number
  /** What it says, in a word. */
  about: string
  /** The position in the merge queue that it says. */
  position?: number
  /** When it was written, in milliseconds since 1970. */
  at?: number
  /** When it would land, as the note said first for the entry that entered at `since`; in milliseconds since 1970. */
  eta?: { since: number; from: number; to: number }
  /** When it would land, as the note says now. */
  said?: number
}

/** ISO 8601; `until` is excluded. */
interface TimeRange {
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

export interface JournalPage<T> {
  items: T[]
  /** The `after` of the next page; absent at the end. */
  next?: string
}

/**
 * `received`: not read yet, or its reading is being retried; `read`: its merge requests are known; `no_merge_request`:
 * none is affected, or no rule can match; `rules_broken`: a push after which a rule file of the default branch has
 * problems; `unreadable`: the body cannot be parsed; `refused`: it came with another project's secret.
 */
export const deliveryStates = ['received', 'read', 'no_merge_request', 'rules_broken', 'unreadable', 'refused'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Whether its record names no merge request: then only its body can be read again, while it is stored. */
export function hasNoMergeRequest(state: DeliveryState): boolean {
  return state === 'no_merge_request' || state === 'rules_broken' || state === 'unreadable'
}
