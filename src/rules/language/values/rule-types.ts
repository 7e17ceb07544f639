// The glossary of rule files, as plain-JSON types: condition, rule, rule file, include, mode, policy, problem. `types.ts` gives them on with the rest.

/** JSON values of facts. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What a condition comes to. */
export type Verdict = 'true' | 'false' | 'unknown'

/** Who wrote a rule file: the operator, or anyone who can push to the repository's default branch. */
export type Trust = 'operator' | 'repository'

/** `act`: calls are sent; `observe`: they are decided and recorded only; `off`: nothing is evaluated. */
export type Mode = 'act' | 'observe' | 'off'

/** What the operator lets the rules of one project do. */
export interface ProjectPolicy {
  /** The most that any rule may do here. */
  mode: Mode
  /** The actions that the repository's own rules may use; absent: every action. */
  allows?: string[]
  /** Globs of branches, besides the default branch, that the repository's own rules may merge into. */
  mergesInto?: string[]
  /** `any`: facts about issues count for decisions whether or not the author of the merge request may see the issues. */
  issues?: 'any'
  /** Paths of this project's files that are rules in force elsewhere, by `include`. */
  protects?: string[]
}

/** A rule's `if`: facts with operators, three combinators, and named conditions with their definitions. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { use: string; is: Condition }
  | { fact: string; operator: string; expected: Json }

/** An event that a rule waits for: `merge_request.open`, `issue.*`; with `changed`, only where one of these fields did. */
export interface EventFilter {
  kind: string
  changed?: string[]
}

export interface RuleAction {
  action: string
  /** As the action's declaration read it. */
  args: Json
  line: number
}

export interface Rule {
  name: string
  line: number
  /** An event rule: it acts when one of these happens, once for each event. */
  on?: EventFilter[]
  if: Condition
  actions: RuleAction[]
  fingerprint: string
  /** Absent: as its file. */
  mode?: Mode
  /** It acts on the project, and is never evaluated for a merge request. */
  ofProject?: true
}

/** A rule file of another project. */
export interface Include {
  /** The full path of the project. */
  project: string
  file: string
  /** A commit or a tag; the head of the default branch without it. */
  ref?: string
}

/** A rule file that was read without a problem. */
export interface RuleFile {
  file: string
  rules: Rule[]
  /** Globs of the full paths of the projects that it is for; absent: all. An operator's file only. */
  projects?: string[]
  /** Absent: act. */
  mode?: Mode
  /** A repository's file only. */
  include?: Include[]
}

/** A rule file as it is in force for one project. */
export interface RuleFileInForce {
  rules: RuleFile
  path: string
  blob: string | null
  /** Of the repository's own file, unless an older version is in force: the commit that it was read at. */
  commit?: string
  trust: Trust
  /** The newest version has problems and the last good one stays in force: approve and accept are held back. */
  broken: boolean
  /** Of an included file: which project it is of, and its path there. */
  origin?: { project: number; path: string }
}

/** What is wrong in a rule file, and where. */
export interface Problem {
  file: string
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  /** `rules[2].then.accept.squash`; empty for the whole file. */
  path: string
  expected: string
  found: string
  message: string
}

/** What reading a rule file gives: all of its rules, or all of its problems in the order of the text. */
export type ReadRules = { ok: true; rules: RuleFile } | { ok: false; problems: Problem[] }
