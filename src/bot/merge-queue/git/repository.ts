// What the merge queue needs of a project's repository.

import type { Rebase } from '../../evaluation/branch-history.ts'
import type { GitError } from './run-git.ts'

/** The commit and the tree of a branch. */
export interface BranchHead {
  commit: string
  tree: string
}

export interface QueueHeads {
  target?: BranchHead
  branches: ReadonlyMap<string, string>
  /** A branch `a` or `a/b` if the prefix is `a/b/`: git makes no branch below another one. */
  inTheWay?: string
}

export interface BuildRequest {
  /** The commit to build on. */
  onto: string
  head: string
  /** What the service compares the head with; the commit to build on when absent. */
  target?: string | undefined
  /** The message of the merge commit. */
  message: string
  /** As the project merges; a merge commit if nothing is said. */
  method?: MergeMethod
  /** Where several commits become one, or have to, its message; not with `merge`. */
  squash?: string
  /** In seconds since 1970: the same build has the same commit. */
  at: number
}

/** `ff`: the commits on top of the base. `rebase_merge`: the same, and a merge commit of them. */
export type MergeMethod = 'merge' | 'rebase_merge' | 'ff'

/** `differs`: its commits one by one, without merges, do not give the tree of its merge. */
export type BuildResult = ({ is: 'built' } & BranchHead) | { is: 'conflict' | 'differs' }
/** The service does not take it; `words`: what it says about that. */
export type RefusedPush = { is: 'refused'; words?: string | undefined }
export type BranchPush = 'pushed' | 'taken' | RefusedPush
export type TargetPush = 'landed' | 'moved' | RefusedPush

/** One project's repository. Every method throws GitError if git or the service fails. */
export interface QueueRepository {
  /** The head of the branch, and of every branch whose name begins with the prefix, as they are now. */
  heads(target: string, prefix: string): Promise<QueueHeads>
  /** The head of the branch now, without fetching it. */
  headOf(branch: string): Promise<string | undefined>
  /** Fetches these commits of branches, which another worker may have made. */
  fetchBranches(branches: readonly { branch: string; commit: string }[]): Promise<void>
  /** Fetches heads of merge requests: each is there, or why not; those that the service does not give are absent. */
  fetchHeads(members: readonly { iid: number; head: string }[]): Promise<ReadonlyMap<string, 'there' | GitError>>
  /** Undefined: the commit is unknown. */
  treeOf(commit: string): Promise<string | undefined>
  parentsOf(commit: string): Promise<string[]>
  isAncestor(ancestor: string, commit: string): Promise<boolean>
  /**
   * Whether `after` has the content of a merge of `before` into the commit of the target that `after` is based on.
   * Throws GitError: `failed` where one of the heads is at fault.
   */
  isSameContent(rebase: Rebase): Promise<boolean>
  /** Brings the commits of `head` onto `onto`. */
  build(request: BuildRequest): Promise<BuildResult>
  /**
   * Creates branches, with an outcome for each, in order; `taken`: it exists with another commit. Deletes those of
   * `unneeded`, if it may, in the same push.
   */
  pushBranches(
    made: readonly { branch: string; commit: string }[],
    unneeded?: readonly { branch: string; commit: string }[],
  ): Promise<BranchPush[]>
  /** Moves the target from one commit to another, without force. */
  pushTarget(target: string, commit: string, from: string): Promise<TargetPush>
  /** Deletes the branches that still have these commits, in one push. */
  deleteBranches(branches: readonly { branch: string; commit: string }[]): Promise<void>
}

/** Opens the repository of a project, by its full path. */
export type OpenRepository = (project: { id: number; path: string }) => Promise<QueueRepository>
