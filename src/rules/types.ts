// The glossary as code: the words of DESIGN.md (event, merge request, fact, rule, decision, call, answer) as plain-JSON types. No synonym is used anywhere.
import type { CallData } from '../api/call-data.ts'
import type { PatternWork } from './language/patterns/pattern-budget.ts'
import type { Json, Mode, ProjectPolicy, RuleFileInForce, Verdict } from './language/values/rule-types.ts'

export type * from './language/values/rule-types.ts'

/** Which merge request: a hosting service's name, the target project's id, and the iid inside it; 0 is the project itself (project-ref.ts). */
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
  /** Set where code was pushed: the head before and after. `from` is null where the merge request was opened. */
  pushed?: { from: string | null; to: string }
  /** The head of the merge request when it happened, where the delivery says so. */
  head?: string
  /** The target branch of the merge request when it happened, where the delivery says so. */
  target?: string
  /** The branch or tag of a push, or the ref of a pipeline. */
  ref?: string
  /** What a push did to its branch or tag. */
  refChange?: 'created' | 'updated' | 'deleted'
  /** The pipeline that a pipeline event speaks of. */
  pipeline?: { id: number; sha: string; status: string; source?: string }
  /** Names of the fields that changed, for updates. */
  changed?: string[]
  /** Labels that were put on and taken off, for updates, and when by the service's own clock, in its own form. */
  labels?: { added: string[]; removed: string[]; at: string }
  /** What the delivery says of facts that stay as they are for its merge request. */
  stable?: StableFacts
  /** The note of a note event. Its text is read back before it is believed; `mentions` false: no line of it begins with a mention, so it holds no command. */
  note?: { id: number; mentions?: boolean }
}

/** Facts that stay as they are for one merge request, by name. */
export type StableFacts = Record<string, Json>

/** One pending event of a merge request, as event rules see it. */
export interface Occurrence {
  /** The delivery's id: the same event counts once. */
  id: string
  event: Event
}

/** A source is one read call of the contract; its answer fills several facts. One that belongs to an event is named `note@17`. */
export type SourceName = string
export type SourceAnswer =
  /** `complete` is false when the service cut the list (`overflow`, a page limit): all/none over it are unknown. */
  | { ok: true; body: unknown; complete: boolean }
  /** Unknown for good: 403, 404, or a body that cannot be read. `reason` is a sentence for people. */
  | { ok: false; reason: string; status?: number }
export type SourceAnswers = Record<SourceName, SourceAnswer>

/** A fact's value: known, not yet read (which source would tell), or absent for good (why). Absent is not empty. */
export type FactValue =
  /** `note` says what the value alone does not: "pipeline 12 is of an older commit". */
  /** `missing` says what an incomplete list leaves out, where it was not the service that cut it. */
  | { is: 'known'; value: Json; complete: boolean; note?: string; missing?: string }
  | { is: 'unread'; source: SourceName }
  | { is: 'absent'; reason: string }

/** One condition with what was expected and what was found. The same tree is stored, printed by explain, and shown on pages. */
export interface Trace {
  /** `labels`, `changed_files`, or the combinator `all`, `any`, `not`. */
  condition: string
  verdict: Verdict
  /** What the rule asks for, as a person would say it: `any of "dependencies"`. */
  expected: string
  /** What was found, as a person would say it; for unknown, why. */
  actual: string
  /** What would make it true; only where it is not. */
  toFix?: string
  children?: Trace[]
}

export interface RuleTrace {
  /** `<file>#<rule name>`: stable name of the rule in memory and journal; of an event rule with `@<event id>` behind it. */
  key: string
  name: string
  file: string
  line: number
  verdict: Verdict
  /** False → true since the last decision, or the rule changed. */
  became: boolean
  /** Changes when what the rule says changes; a new line number is no change. */
  fingerprint: string
  conditions: Trace
  /** What its actions came to, a sentence each: "label: add documentation", "accept: held back, …". */
  actions: ActionTrace[]
  /** The event that an event rule is evaluated for; absent where none happened. */
  event?: Occurrence
  /** Absent where it acts. An observing rule may see overridden facts. */
  mode?: Exclude<Mode, 'act'>
}

export interface ActionTrace {
  action: string
  /** `call`: sends; `nothing to do`: the state is already so; `done before`: once per becoming true; `held back`: refused by trust or binding; `lost`: another rule came first. */
  result: 'call' | 'nothing to do' | 'done before' | 'held back' | 'lost' | 'waits'
  detail: string
  /** What the action itself requires beyond the rule's `if`, where it requires anything. */
  conditions?: Trace
  /** Of a rule that only observes: nothing is sent, the call is shown as it would have been. */
  dryRun?: true
  /** What the action did before is taken back, because no rule asks for it: not something that the rule asks for. */
  withdrawal?: true
}

/** A call as data: an endpoint of the contract by name, its parameters, and which rules asked for it. */
export interface Call extends CallData {
  action: string
  /** Other actions whose changes go with the same call. */
  with?: string[]
  rules: string[]
  /** What is to be remembered when it was done. */
  memo?: Json
  /** What was so before a call that is not made twice: it tells afterwards whether the call was done, where no answer did. */
  before?: Json
  /** Bound to the state that was evaluated: the merge request is read again just before it is sent. */
  bound?: boolean
  effects?: Effect[]
}

/** What a call changes in a fact: its value, or entries of its list. */
export type Effect<Name extends string = string> =
  | { fact: Name; value: Json }
  | { fact: Name; add: string[] }
  | { fact: Name; remove: string[] }

/** What came of a call. */
export interface CallResponse {
  call: Call
  status: number | null
  /** `already`: 304 or an equal sign that the state was so; `moved`: the evaluated state is gone (409); `refused`: 4xx; `ambiguous`: may have been applied. */
  result: 'done' | 'already' | 'moved' | 'not now' | 'refused' | 'ambiguous'
  message?: string
  at: string
  tookMs: number
}

/** How far rules that are new are held back in one project. */
export interface NewRuleLimit {
  perHour: number
  /** `<file>#<rule name>` */
  newRules: string[]
  /** The actions that were done as often as that, and until when that counts (ISO 8601). */
  full: Record<string, string>
}

/** Everything a decision is made of. */
export interface DecideInput {
  /** The operator's files before the repository's is the order of precedence, whatever order they are given in. */
  files: RuleFileInForce[]
  mergeRequest: MergeRequestRef
  answers: SourceAnswers
  memory: Memory
  /** What happened since the last decision, oldest first. */
  events: Occurrence[]
  /** ISO 8601. */
  now: string
  /** The bot's own user. */
  bot: { id: number; username: string }
  /** The label that makes Bellhop leave a merge request alone. */
  offLabel?: string
  /** What is known of stable facts while the merge request is not read: it can only settle that no rule holds. */
  stable?: StableFacts
  /** Absent: the rules act, and the repository's may use every action. */
  policy?: ProjectPolicy
  newRuleLimit?: NewRuleLimit
  /** The decision is made for public text: facts have only the values that every reader of the merge request may read. */
  publicOnly?: true
  /** `mergeRequestPipelines`: this project's merge requests have pipelines of their own, so a branch pipeline does not count. */
  project: { mergeRequestPipelines: boolean }
  /** What is said beforehand, laid over what the service says: for what-if, rule tests and the past. Never set where calls are sent. */
  overrides?: readonly Override[]
  /** Where matching patterns takes turns with other work of the process, and its project has used up a part of what it may take. Absent: it has all, and pauses never. */
  work?: PatternWork
}

/** A fact that is taken to be so, or a list with more or fewer entries than the service says. */
export type Override =
  | { fact: string; is: Exclude<FactValue, { is: 'unread' }> }
  | { fact: string; add: string[] }
  | { fact: string; remove: string[] }

/** What is remembered about one merge request between decisions. */
export interface Memory {
  rules: Record<string, { fingerprint: string; held: boolean; done: string[] }>
  /** What event rules have done for pending events: event id → rule → actions. */
  events?: Record<string, Record<string, string[]>>
  /** What events requested: evaluated as state while the head stays. */
  standing?: StandingRequest[]
  /** ISO 8601: when anyone but Bellhop last did something to it, as deliveries said. */
  activeAt?: string
  /** Its stable facts, as it was last read, and when that was (ISO 8601). */
  stable?: { at: string; facts: StableFacts }
  /** The newest pending event's delivery, and when an evaluation first saw it (milliseconds since 1970): delays grow from there. */
  waits?: { since: number; delivery: string }
  /** What an event took back, by action: of which head, and which rule it was. */
  restrained?: Record<string, { head: string; by: string }>
  /** The head that Bellhop asked the service to merge when its pipeline succeeds. */
  waitingSha?: string
  /** Labels that Bellhop put on for as long as a rule holds. */
  heldLabels?: string[]
  /** Rules whose note stays only while they hold. */
  heldNotes?: string[]
  /** A call that may have been done: its response was lost, or its process ended before the response. */
  pending?: PendingCall
  /** Calls that may have been done or not, which nobody can tell: they are not repeated. The last few. */
  uncertain?: { at: string; detail: string }[]
  /** By kind of event: when a call was last made, or may have been, that raises one. */
  raised?: Record<string, string>
  /** When each call was made within the last minutes, for the loop guard. */
  sent?: Record<string, string[]>
  /** The head that Bellhop approved, while that approval stands. */
  approvedSha?: string
  /** Pushes seen to the source branch, oldest first; `from` of the first is the head at which history begins. */
  pushes: { from: string | null; to: string; by: Actor }[]
}

/** What became of a call without an answer, as the present state tells. */
export type CallOutcome = 'done' | 'not done' | 'unknown'

export interface PendingCall {
  call: Call
  /** ISO 8601: when it was sent, or its answer was lost. */
  at: string
  /** Those that were done before it by the same decision. */
  earlier: Call[]
  /** What is remembered if it was done. */
  ifDone: Memory
}

/** An event's request that is kept until it is fulfilled, withdrawn, or the head moves (DESIGN §4). */
export interface StandingRequest {
  /** `<file>#<rule name>` */
  rule: string
  fingerprint: string
  head: string
  /** The target branch that it was asked for; absent where it was not known. */
  target?: string
  occurrence: Occurrence
  /** Which of the rule's actions are still asked for. */
  actions: string[]
}

/** What the rules say about one merge request at one moment, with the trace that explains it. */
export interface Decision {
  rules: RuleTrace[]
  calls: Call[]
  answers: CallResponse[]
  /** Head commit that was evaluated. */
  head: string | null
  /** Target branch that was evaluated; absent where it is not known. */
  target?: string
  /** The rule files it was evaluated by; `commit` as in RuleFileInForce. */
  files: { path: string; blob: string | null; commit?: string }[]
  /** What was found to be so without a call, for the memory of these actions. */
  noted?: { action: string; memo: Json }[]
  /** The outcome of a call whose response was lost, if the present state shows it. */
  settled?: { call: Call; outcome: CallOutcome; detail: string }
  /** Calls that may have been done or not: they were not repeated. A sentence each. */
  uncertain?: string[]
  /** What rules in mode `observe` would have sent. */
  dryRunCalls?: Call[]
  /** Why nothing new is done whatever the rules say: the label that turns Bellhop off, or calls that something undoes. Withdrawals are made all the same. */
  paused?: string
  /** Why the label that turns Bellhop off does not count. */
  offIgnored?: string
  /** Evaluate again after so many milliseconds even without an event (the service is still checking). */
  againInMs?: number
  /** ISO 8601: from this moment on a verdict may be another though nothing happens (an age, the clock). */
  changesAt?: string
}
