// What a soak records, in one sequence: calls to the service, changes of its records, and the outcome of each hook.
import type { MergeRequest } from '../src/sandbox/records/records.ts'
import type { Action } from './schedule.ts'

interface Entry {
  /** Its place among all that was recorded. */
  at: number
}

/** An API call that came to the service, in the moment before it is handled (or lost by a fault). */
export interface CallEntry extends Entry {
  endpoint: string
  params: Record<string, unknown>
  caller: string | null
}
/** A merge request as it is from then on. */
export interface ChangeEntry extends Entry {
  mergeRequest: MergeRequest
}
export interface PipelineEntry extends Entry {
  id: number
  project: number
  sha: string
  ref: string
  status: string
}
/** A note as it is from then on; without a body it is gone. */
export interface NoteEntry extends Entry {
  id: number
  mergeRequest: number
  author: number
  body: string | null
}
/** What people did. */
export interface ActionEntry extends Entry {
  action: Action
  /** When the service had answered. */
  ended: number
  refused: boolean
  /** Ids of the merge request, of the note that was written, and the commit that was pushed. */
  mergeRequest?: number
  note?: number
  sha?: string
}
/** A hook as it came to the relay. Uncertain: no 202 was seen, and yet it may have been taken. */
export interface HookEntry extends Entry {
  id: string
  kind: string
  note?: number
  fate: 'under way' | 'acknowledged' | 'uncertain' | 'never arrived'
  /** The id that the 202 named. */
  taken?: string
}

/** What is kept of what all processes of the bot wrote. */
export interface BotLog {
  /** From and to in milliseconds since 1970. */
  evaluations: { process: string; mergeRequest: string; from: number; to: number }[]
  /** Lines that no process may ever write, with why. */
  forbidden: { process: string; why: string; line: string }[]
  /** Freezes that may have lasted longer than a job's lock, in milliseconds since 1970. */
  freezes: { process: string; from: number; to: number }[]
  /** Ends of processes that nobody asked for, or otherwise than was asked for. */
  ends: { process: string; expected: string; found: string }[]
}

export interface SoakRecord {
  /** The bot's user id, and its name. */
  bot: { id: number; username: string }
  calls: CallEntry[]
  changes: ChangeEntry[]
  pipelines: PipelineEntry[]
  notes: NoteEntry[]
  actions: ActionEntry[]
  hooks: HookEntry[]
  log: BotLog
  /** Calls of which Bellhop itself says in the end that nothing tells whether they were done. */
  uncertain: { mergeRequest: string; detail: string }[]
}

/** A record of which nothing is known yet. */
export function emptyRecord(bot = { id: 0, username: '' }): SoakRecord {
  return {
    bot,
    calls: [],
    changes: [],
    pipelines: [],
    notes: [],
    actions: [],
    hooks: [],
    log: { evaluations: [], freezes: [], forbidden: [], ends: [] },
    uncertain: [],
  }
}

/** A promise that was broken. */
export interface Violation {
  promise: string
  /** `project!iid`, where it is about one merge request. */
  mergeRequest?: string
  detail: string
}
