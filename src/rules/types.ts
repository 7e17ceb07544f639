// The glossary as code: the words of DESIGN.md (event, merge request, fact, rule, decision, call, answer) as plain-JSON types. No synonym is used anywhere.
import type { CallData } from '../api/endpoint.ts'

/** Which merge request: a hosting service's name, the target project's id, and the iid inside it. */
export interface MergeRequestRef {
  service: string
  project: number
  iid: number
}

/** Who did something, as far as the delivery says it; an old delivery may name no id. */
export interface Actor {
  id?: number
  username?: string
}

/** What a delivery says happened, reduced to what rules and the journal use. */
export interface Event {
  /** `merge_request.open`, `merge_request.update`, `push`, `pipeline.success`, `note.create` … */
  kind: string
  project?: number
  actor: Actor
  /** ISO 8601, when the delivery was received. */
  at: string
  /** Only for merge_request events. */
  iid?: number
  /** Set where code was pushed: the head before and after. */
  pushed?: { from: string; to: string }
  /** The branch or tag of a push, or the ref of a pipeline. */
  ref?: string
  /** The pipeline that a pipeline event speaks of. */
  pipeline?: { id: number; sha: string; status: string; source?: string }
  /** Names of the fields that changed, for updates. */
  changed?: string[]
}

/** JSON values, as facts hold them. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A source is one read call of the contract; its answer fills several facts. */
export type SourceName = string
export type SourceAnswer =
  /** `complete` is false when the service cut the list (`overflow`, a page limit): all/none over it are unknown. */
  | { ok: true; body: unknown; complete: boolean }
  /** Unknown for good: 403, 404, or a body that cannot be read. `reason` is a sentence for people. */
  | { ok: false; reason: string }
export type SourceAnswers = Record<SourceName, SourceAnswer>

/** A fact's value: known, not yet read (which source would tell), or absent for good (why). Absent is not empty. */
export type FactValue =
  | { is: 'known'; value: Json; complete: boolean }
  | { is: 'unread'; source: SourceName }
  | { is: 'absent'; reason: string }

export type Verdict = 'true' | 'false' | 'unknown'

/** One condition with what was wanted and what was found. The same tree is stored, printed by explain, and shown on pages. */
export interface Trace {
  /** `labels`, `changed_files`, or the combinator `all`, `any`, `not`. */
  condition: string
  verdict: Verdict
  /** What the rule asks for, as a person would say it: `any of "dependencies"`. */
  wanted: string
  /** What was found, as a person would say it; for unknown, why. */
  actual: string
  /** What would make it true; only where it is not. */
  unblock?: string
  children?: Trace[]
}

export interface RuleTrace {
  /** `<file>#<rule name>`: stable name of the rule in memory and journal. */
  key: string
  name: string
  file: string
  line: number
  verdict: Verdict
  /** False → true since the last decision, or the rule changed. */
  became: boolean
  conditions: Trace
  /** What its actions came to, a sentence each: "label: add documentation", "accept: held back, …". */
  actions: ActionTrace[]
}

export interface ActionTrace {
  action: string
  /** `call`: sends; `nothing to do`: the state is already so; `done before`: once per becoming true; `held back`: refused by trust or binding; `lost`: another rule came first. */
  result: 'call' | 'nothing to do' | 'done before' | 'held back' | 'lost' | 'waits'
  detail: string
}

/** A call as data: an endpoint of the contract by name, its parameters, and which rules asked for it. */
export interface Call extends CallData {
  action: string
  rules: string[]
  /** Bound to the state that was judged: the merge request is read again just before it is sent. */
  bound?: boolean
}

/** What came of a call. */
export interface Answer {
  call: Call
  status: number | null
  /** `already`: 304 or an equal sign that the state was so; `moved`: the judged state is gone (409); `refused`: 4xx; `ambiguous`: may have been applied. */
  result: 'done' | 'already' | 'moved' | 'not now' | 'refused' | 'ambiguous'
  message?: string
  at: string
  tookMs: number
}

/** What is remembered about one merge request between decisions. */
export interface Memory {
  rules: Record<string, { fingerprint: string; held: boolean; done: string[] }>
  /** The head that Bellhop approved, while that approval stands. */
  approvedSha?: string
  /** Pushes seen to the source branch, oldest first; `from` of the first is the head at which history begins. */
  pushes: { from: string | null; to: string; by: Actor }[]
}

/** What the rules say about one merge request at one moment, with the trace that explains it. */
export interface Decision {
  rules: RuleTrace[]
  calls: Call[]
  answers: Answer[]
  /** Head commit that was judged. */
  head: string | null
  /** The rule files it was judged by: path and blob. */
  files: { path: string; blob: string | null }[]
  /** Judge again after so many milliseconds though nothing happens (the service is still checking). */
  againInMs?: number
}
