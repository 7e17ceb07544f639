// One run of a merge queue's job: what it knows, and what it found out on the way.
import type { MergeQueueEntry, MergeQueueRef } from '../../journal/types.ts'
import type { AttemptState, EntryRef, MergeQueueSettings } from '../../merge-queue/types.ts'
import type { RunningJob } from '../../queue/types.ts'
import type { MergeQueueRules } from '../../rules/types.ts'
import type { BranchHead, QueueRepository } from './git/repository.ts'
import type { MergeQueueOptions } from './merge-queue-options.ts'
import type { QueuePipeline } from './pipelines.ts'
import type { QueueProject } from './project.ts'

export interface QueueRun extends MergeQueueOptions {
  queue: MergeQueueRef
  /** The full path of the project. */
  path: string
  /** The project, once this run has read it. */
  project?: QueueProject
  repository: QueueRepository
  settings: MergeQueueSettings & Pick<MergeQueueRules, 'pipelines'>
  /** Of its branches. */
  prefix: string
  /** It has another name by now, and its branches of the old one are discarded first. */
  isRenamed: boolean
  /** Whether a rule file has the queue, with these branches. */
  hasRules: boolean
  /** In no order. */
  entries: readonly MergeQueueEntry[]
  claim: RunningJob<unknown>['claim']
  /** Of this run, by the number of the attempt. */
  made: Map<number, BranchHead>
  found: Map<number, Exclude<AttemptState, { is: 'made' }>>
  pipelines: Map<number, QueuePipeline>
  /** The commits of the queue's branches, as last observed. */
  branches: ReadonlyMap<number, string>
  /** The open draft merge requests of the queue's branches, by branch, once this run has read them. */
  drafts?: Map<string, number>
  /** This run stored a landing, and the target moved before it was requested. */
  isUnsent?: true
  /** The service refused the landing that this run requested. */
  refused?: 'merge_request' | 'project'
  /** The merge request that this run merged, as the service answered. */
  merged?: MergedCommits
  /** What this run landed. */
  landed: EntryRef[]
  /** Wait so long before the next look, whatever the plan says. */
  waitMs?: number
}

/** The commits of a merged merge request. */
export interface MergedCommits {
  merge_commit_sha?: unknown
  squash_commit_sha?: unknown
}
