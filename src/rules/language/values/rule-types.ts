// The terms of rule files as plain-JSON types, such as condition, rule, include and mode. `types.ts` re-exports them.
import type { MergeQueueSettings } from '../../../merge-queue/types.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** The verdict of a condition or a rule: `true` matched, `false` not matched. */
export type Verdict = 'true' | 'false' | 'unknown'

/** Who wrote a rule file: the operator, or anyone who can push to the repository's default branch. */
export type Trust = 'operator' | 'repository'

/** What a rule acts on. */
export type Subject = 'merge_request' | 'issue' | 'project'

/** `act`: calls are sent; `observe`: they are decided and recorded only; `off`: nothing is evaluated. */
export type Mode = 'act' | 'observe' | 'off'

/** What the operator lets the rules of one project do. */
export interface ProjectPolicy {
  /** No rule of the project does more than this. */
  mode: Mode
  /** The actions that the repository's own rules may use; absent for every action. */
  allows?: string[]
  /** Globs of branches that the repository's own rules may merge into, in addition to the default branch. */
  mergesInto?: string[]
  /** `any`: rules may use, and merges may close, what the author of the merge request may not see. */
  issues?: 'any'
  /** `any`: the repository's own rules may use groups outside the project's own top-level group. */
  groups?: 'any'
  absent?: string[]
  /** Files of this project that other projects include as rules. */
  protects?: string[]
  /** The chats that rules may post to; absent if they are unknown. */
  chats?: string[]
}

/** A rule's `if`: facts with operators, combinators, and named conditions with their definitions. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { use: string; is: Condition }
  | { fact: string; operator: string; expected: Json }

/** An event of a rule: `merge_request.open`, `issue.*`; with `changed`, only if one of these fields changed. */
export interface EventFilter {
  kind: string
  changed?: string[]
}

export interface RuleAction {
  action: string
  /** The arguments as the action's declaration read them. */
  args: Json
  line: number
  /** Its values name groups, to be filled in when the rule matches. */
  fills?: true
  /** Why a value cannot be filled in. */
  refused?: string
}

/** A named group of a condition with `matches` that is true whenever its rule is. */
export interface NamedGroup {
  fact: string
  expression: string
}

export interface Rule {
  name: string
  line: number
  /** An event rule acts once for each of these events. */
  on?: EventFilter[]
  if: Condition
  /** The named groups that its texts and values may use. */
  groups?: Record<string, NamedGroup>
  actions: RuleAction[]
  fingerprint: string
  /** Absent if it is that of its file. */
  mode?: Mode
  /** What it acts on; absent for merge requests. */
  subject?: Exclude<Subject, 'merge_request'>
  /** How to write its command, if it takes arguments. */
  usage?: string
}

/** A rule file of another project. */
export interface Include {
  project: string
  file: string
  /** A commit or a tag; absent for the head of the default branch. */
  ref?: string
}

/** The settings of one merge queue in a rule file. */
export interface MergeQueueRules extends MergeQueueSettings {
  name: string
  line: number
  target: string
  /** `merge_request`: the pipelines of a draft merge request that Bellhop opens for each build. */
  pipelines: 'branch' | 'merge_request'
  /** Whether a merge request on top of the target's head needs no build if its own pipeline is green. */
  own_pipeline: boolean
  /** `preempts`: it goes before builds that run. */
  priority: { if: Condition; is: number; preempts?: boolean }[]
  /** The first line of the message of each merge, with places. */
  message?: string
  freeze: { if: Condition; except?: Condition }[]
  /** `approved`: forks are queued if a Maintainer's event requests it for their present head. */
  forks: 'never' | 'approved'
  /** A direct accept into this target is queued instead. */
  required: boolean
}

/** A rule file without problems. */
export interface RuleFile {
  file: string
  rules: Rule[]
  /** Only in an operator's file: globs of the projects that it is for; absent for all. */
  projects?: string[]
  /** Absent for `act`. */
  mode?: Mode
  /** Only in a repository's file. */
  include?: Include[]
  queues?: MergeQueueRules[]
}

/** A rule file in force for one project. */
export interface RuleFileInForce {
  rules: RuleFile
  path: string
  blob: string | null
  /** The commit at which the repository's own file was read; absent if an older version is in force. */
  commit?: string
  trust: Trust
  /** The newest version has problems, so the last good one stays in force, without approve and accept. */
  broken: boolean
  /** The project of an included file, and its path there. */
  origin?: { project: number; path: string }
}

/** A mistake in a rule file, with its place. */
export interface Problem {
  file: string
  /** Lines and columns start at 1. */
  line: number
  column: number
  /** `rules[2].then.accept.squash`; empty for the whole file. */
  path: string
  expected: string
  found: string
  message: string
}

/** All rules of a file, or all of its problems in the order of the text. */
export type ReadRules = { ok: true; rules: RuleFile } | { ok: false; problems: Problem[] }

/** What a merge request waits for before a rule merges or approves it. Facts that are a cause declare it (`waitsFor`). */
export const waitingCauses = {
  review: 'An approval was missing, or a thread that must be resolved.',
  pipeline: 'No pipeline of the head had succeeded; also while a failed one waits to be fixed.',
  conflict: 'It had conflicts with the target branch, or needed a rebase.',
  queue: 'It was in a merge queue or on a merge train.',
  freeze: 'Its merge queue was frozen, or it was outside the hours of a rule.',
} as const

export type WaitingCause = keyof typeof waitingCauses

export const waitingCauseNames = Object.keys(waitingCauses) as WaitingCause[]

/** One cause, or the causes of some values. */
export type WaitsFor = WaitingCause | Readonly<Record<string, WaitingCause>>

/** The cause for this value of a fact; undefined if there is none. */
export function causeOf(waitsFor: WaitsFor | undefined, value: Json | undefined): WaitingCause | undefined {
  if (typeof waitsFor !== 'object') return waitsFor
  return typeof value === 'string' && Object.hasOwn(waitsFor, value) ? waitsFor[value] : undefined
}
