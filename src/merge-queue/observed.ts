// What a merge queue's plan reads from the service and the repository, each time anew.
import type { Entry, EntryRef, PauseReason, RemovalReason } from './types.ts'

/** `partial`: green, but without some statuses that the last landed builds had. */
export type PipelineStatus = 'none' | 'partial' | 'running' | 'manual' | 'success' | 'failed' | 'skipped'

export type AttemptState =
  /** The branch has a commit that this process made, or that the record names: others may push to the branch. */
  | {
      is: 'made'
      commit: string
      tree: string
      pipeline: PipelineStatus
      started?: number
      own?: true
      /** Its pipeline has jobs that the service can run again. */
      hasJobs?: true
      retried?: boolean
    }
  /** The member conflicts with what is before it in the queue, or with the target itself. */
  | { is: 'conflict'; member: EntryRef; with: 'queue' | 'target' }
  /** The service does not give their heads, or does not rebase them. If that lasts, they leave for `reason`. */
  | { is: 'late'; members: readonly EntryRef[]; reason: RemovalReason }
  /** Nobody can test these members as they are. */
  | { is: 'untestable'; members: readonly EntryRef[]; reason: RemovalReason; words?: string | undefined }
  /** Its branch is not ours: somebody pushed another commit to it. */
  | { is: 'foreign' }
  /** The service does not let the bot push or delete it; `words`: what it says about that. */
  | { is: 'refused'; words?: string | undefined }

/** What landed. */
export interface LandedAs {
  tree: string
  /** Its first parent. */
  onto: string
  /** The branch that it was merged into, if that is not the target. */
  elsewhere?: string
  /** Its commit, if it differs from what was tested only by what somebody pushed to the target just before. */
  commit?: string
}

/** What the service says now. Everything that can be read again is read for each plan. */
export interface Observed {
  /** Absent: the branch does not exist. */
  target?: { commit: string; tree: string }
  /** Whether the head of the target has a green pipeline of its own. */
  isTargetGreen?: boolean
  entries: readonly Entry[]
  /** Every branch of this queue, and every conflict that was found, by the number of the attempt. */
  attempts: ReadonlyMap<number, AttemptState>
  /** The outcome of the landing in the record; absent while unknown: not sent yet, or its response was lost. */
  landing?:
    | ({ is: 'landed' } & LandedAs)
    /** The service refused, because of the merge request, or because of the token or the project. */
    | { is: 'refused'; because: 'merge_request' | 'project'; words?: string | undefined }
    /** Nothing was requested, or it has no effect any more: somebody else merged it. */
    | { is: 'unsent' }
  /** Nothing lands for now, for example because a rule file is broken. Tests go on. */
  holdsLanding?: boolean
  /** Returns a new number each time. Nobody can guess it, so nobody can take the name of a branch before the queue. */
  newNumber: () => number
  /** A branch whose name is the beginning of the names of the queue's branches, so that git cannot make them. */
  inTheWay?: string
  /** Why the project cannot have a queue: nothing is built or lands. */
  unfit?: PauseReason
  /** Why git cannot read the repository: target and attempts are unknown. */
  unreadable?: PauseReason & `repository_${string}`
  /** A landing was requested with other settings: it is settled, and nothing else is done. */
  settlesOnly?: true
}
