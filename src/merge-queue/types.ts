// The merge queue's data: its record, what was observed, and the steps that follow.

/** A merge request in the queue, as its own evaluation requested it. */
export interface Entry {
  iid: number
  /** The evaluated head; another head is another entry. */
  head: string
  /** When it entered, in milliseconds since 1970. */
  since: number
  /** The largest is first. */
  priority: number
  /** It goes before builds that run, which are built again behind it. */
  preempts?: true
  /** It may be tested, but not land. */
  frozen: boolean
  /** When the freeze may end, ISO 8601; absent if that is unknown. */
  frozenUntil?: string
  /** Why, if somebody gave a reason. */
  frozenBecause?: string
}

export interface EntryRef {
  iid: number
  head: string
}

/** One try to test a build: a branch of its own with a commit of its own. */
export interface Attempt {
  /** Also in the name of its branch; nobody can guess it, and no number is used twice. */
  number: number
  /** Absent until the branch exists. */
  commit?: string
  /** When the branch was observed first; with `test: rebase`, when the rebase was decided. */
  since?: number
  /** When its pipeline was observed to be green. */
  passed?: number
  /** When the service first did not give a head of its members. */
  lateSince?: number
  /** Why it failed; a person may still retry its pipeline. */
  failed?: 'pipeline_failed' | 'pipeline_skipped' | 'pipeline_timeout'
  /** The pipeline that Bellhop started because the first one was skipped; 0: the service refused. */
  started?: number
  /** Whether the service ran its failed jobs again; false: it refused. */
  retried?: boolean
  /** It has no branch: its member is on top of the target's head, and its own pipeline tested the same tree. */
  own?: true
  /** Its pipeline, and the page of that. */
  pipeline?: number
  link?: string
}

/** A speculative build: everything before it, with its own members on top. Without members, it tests the target. */
export interface Build {
  members: readonly EntryRef[]
  /** What it is built on: the target, or the build before it. Absent until its first branch exists. */
  base?: { commit: string; tree: string }
  /** The commit of the first attempt: the next build is built on it, and a push lands it. */
  commit?: string
  /** The tree, the same for every attempt. */
  tree?: string
  /** The first attempt and its retries. */
  attempts: readonly Attempt[]
}

/** A landing that was requested, or is about to be. Stored before the call. */
export interface Landing {
  /** When it was decided, in milliseconds since 1970. */
  since: number
  /** The setting at that time. */
  by: MergeQueueSettings['land']
  members: readonly EntryRef[]
  /** The target before it. */
  from: { commit: string; tree: string }
  /** The tested tree. */
  tree: string
  /** The tested commit, which a push lands. */
  commit: string
  /** How long its pipelines took, retries included. */
  testedMs?: number
  /** How many of its pipelines failed before the green one; absent: none. */
  failures?: number
  /** Its member's own pipeline tested it, not one of the queue. */
  own?: true
}

export interface PastLanding extends Landing {
  at: number
}

/** A member that conflicts with what was before it in the queue. */
export interface Conflict {
  member: EntryRef
  /** It is built on none of these. */
  others: readonly EntryRef[]
}

/** Why a queue lands nothing until somebody resumes it, or until others stop changing its branches. */
export type PauseReason =
  | 'automatic_rebase'
  | 'branch_in_the_way'
  | 'branch_refused'
  | 'branches_changed'
  | 'by_operator'
  | 'journal_new'
  | 'landing_refused'
  | 'merge_method'
  | 'merge_trains'
  | 'no_pipeline'
  | 'repository_not_fetched'
  | 'repository_refused'
  | 'signed_commits'
  | 'status_missing'
  | 'target_missing'
  | 'target_red'
  | 'unverified_landing'

export interface QueuePause {
  reason: PauseReason
  since: number
  /** The branch that is in the way. */
  branch?: string
  /** What the service says about its refusal. */
  words?: string
  /** What it is about: the commit of the target that is red; or what somebody pushed, and what landed on top of it. */
  commits?: readonly string[]
}

/** Why the target itself is tested. Nothing else is built or lands meanwhile. */
export type TargetTest =
  /** Somebody pushed the first commit just before the second one landed on top of it: nobody tested both together. */
  | { is: 'landed'; members: readonly EntryRef[]; commits: readonly string[] }
  /** The first build is red, and its only member leaves if the target with this tree is green. */
  | { is: 'suspect'; removal: Omit<Removal, 'at'> }

export type RemovalReason =
  | 'by_operator'
  | 'conflict'
  | 'content_changed'
  | 'head_missing'
  | 'head_not_fetched'
  | 'head_not_merged'
  | 'head_too_large'
  | 'landing_refused'
  | 'merge_commits'
  | 'not_rebased'
  | 'pipeline_failed'
  | 'pipeline_skipped'
  | 'pipeline_timeout'
  | 'push_refused'
  | 'rebase_refused'

/** Why the test of a build was wasted. */
export type VoidCause =
  /** Somebody deleted its branch, or pushed to it. */
  | 'branch_changed'
  /** A member before it conflicts with earlier ones. */
  | 'conflict'
  /** A member left by itself: closed, a new head, no rule requests it. */
  | 'entry_left'
  | 'failed_ahead'
  /** An entry goes before it (`preempts`). */
  | 'preempted'
  /** A freeze began. */
  | 'frozen'
  | 'removed'
  | 'target_moved'
  | 'unverified_landing'

/** A member that was removed. It enters again with another head, or after it left. */
export interface Removal {
  member: EntryRef
  reason: RemovalReason
  /** The attempt that decided it. */
  attempt?: number
  /** The tree of the target that it was tested on. */
  on?: string
  at: number
  /** The page of the pipeline that failed; `job`: the page of the job. */
  link?: string
  job?: string
  /** What the service says about its refusal. */
  words?: string
}

/** The stored state of one merge queue. One process at a time changes it, by compare-and-swap. */
export interface MergeQueueRecord {
  paused?: QueuePause
  /** The prefix of the names of its branches; absent if it never had one. */
  prefix?: string
  /** How its builds are tested; absent if it never had one. */
  test?: MergeQueueSettings['test']
  /** How many builds may exist at once. */
  window: number
  testing?: TargetTest
  /** The last tree of the target that was tested by itself, and is green. */
  green?: string
  /** The last removals that do not count, because the target was red. */
  returned?: readonly Removal[]
  /** In the order of landing. */
  builds: readonly Build[]
  landing?: Landing
  conflicts: readonly Conflict[]
  removals: readonly Removal[]
  /** The last removals whose members have left, newest first. */
  removed?: readonly Removal[]
  /** Branches are being discarded; absent once none is left. */
  discarding?: true
  /** How often others changed its branches since it landed something; absent: never. */
  changed?: number
  /** The entries that an operator moved to the front, the last one first. */
  first?: readonly EntryRef[]
  /**
   * Builds of frozen entries are in front of entries that could land: how many are frozen, and since when that number
   * stands. Meanwhile nothing new is built.
   */
  overtaking?: { since: number; frozen: number }
  /**
   * When an operator resumed it although a pipeline or a status was missing. Earlier landings do not say which statuses
   * a build needs.
   */
  resumed?: number
  /** The last landings, newest first. */
  recent: readonly PastLanding[]
}

export interface MergeQueueSettings {
  /** `rebase`: a build is the merge request itself, rebased: its head changes, so its entry leaves and comes back. */
  test: 'branch' | 'rebase'
  /** `accept`: by the merge request's own accept call; `push`: the tested commit is pushed to the target. */
  land: 'accept' | 'push'
  /** Builds at once. `auto`: as many as there are entries. Else the least at first; one more with each landing, half with each failure. */
  speculate: 'auto' | { least: number; most: number | 'auto' }
  /** Members of one build; more than one needs `land: push`. */
  batch: { most: number; waitMs: number }
  /** Further attempts of a failed build. */
  retries: number | 'auto'
  /** The timeout of a pipeline. As `retries`, by the queue's own past with `auto`. */
  timeoutMs: number | 'auto'
}

export type MergeQueueStep =
  /**
   * Makes the branch `attempt` with `members` on top of `onto`; a retry is another commit of the same tree.
   * `isRepeated`: a build of one of them was red, so what was green before that does not count.
   */
  | { do: 'build'; attempt: number; onto: string; members: readonly EntryRef[]; isRepeated?: true }
  /** Cancels its pipeline, which takes too long. */
  | { do: 'cancel'; attempt: number }
  /** Lets the service run the failed jobs of its pipeline again. */
  | { do: 'retry'; attempt: number }
  /** Starts a pipeline for its branch, because the first one was skipped. */
  | { do: 'start'; attempt: number }
  /** Cancels their pipelines and deletes their branches. */
  | { do: 'discard'; attempts: readonly number[] }
  /** Lands it, only after the record was stored, and while the target is at `from`. */
  | { do: 'land'; landing: Landing }
  | { do: 'remove'; removal: Removal }
  | { do: 'notify'; paused: QueuePause }

export interface MergeQueuePlan {
  record: MergeQueueRecord
  steps: readonly MergeQueueStep[]
  /** One for each build that is dropped although it was neither landed nor red. */
  voided: readonly VoidCause[]
  /** When the plan changes without an event; absent: never. */
  changesAt?: number
}

/** What metrics count about a merge queue. */
export type MergeQueueCount =
  /** The branch of an attempt was pushed. */
  | { is: 'built' }
  /**
   * A merge request landed. `waitedMs`: since it entered. `etaErrorMs`: the difference from the time that its note
   * named first, if it named one.
   */
  | { is: 'landed'; waitedMs: number; etaErrorMs?: number }
  /** The test of a build was wasted. */
  | { is: 'voided'; cause: VoidCause }
  | { is: 'removed'; reason: RemovalReason }
  /** The target is not what was tested. */
  | { is: 'unverified' }
  | { is: 'paused'; reason: PauseReason }
