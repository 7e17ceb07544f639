// The commits that a merge adds to its target, by the project's `merge_method`.
import { mergeBase } from '../git/read-commits.ts'
import { rebaseCommits } from '../git/rebase-commits.ts'
import { mergeTree, writeCommit } from '../git/write-commits.ts'
import { squashOnMerge } from '../merge-requests/status.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { projectById, userById, type World } from '../storage/world.ts'

export interface MergeMessages {
  squash: boolean
  merge_commit_message: string | null
}
export interface MergeCommits {
  /** The new head of the target. */
  head: string
  /** Null for a fast-forward. */
  merge_commit_sha: string | null
  squash_commit_sha: string | null
}
interface MergeRequestOnto extends MergeMessages {
  target: string
  user: User
}

/** Moves no ref. Undefined on a conflict, and if the merge method wants a rebase first. */
export async function writeMergeCommits(
  world: World,
  mr: MergeRequest,
  options: MergeRequestOnto,
): Promise<MergeCommits | undefined> {
  const { target, user } = options
  const { merge_method } = projectById(world, mr.project_id)
  const source = merge_method === 'merge' ? await asItIs(world, mr, target) : await onTop(world, mr, target, user)
  if (source === undefined) return undefined
  const squashes = squashOnMerge(projectById(world, mr.project_id), options.squash)
  const squash_commit_sha = squashes ? await squash(world, mr, source, user) : null
  const tip = squash_commit_sha ?? source.head
  if (merge_method === 'ff') return { head: tip, merge_commit_sha: null, squash_commit_sha }
  const tree = await mergeTree(world, mr.project_id, target, source.head)
  if (tree === null) return undefined
  const merge_commit_sha = await writeCommit(world, mr.project_id, {
    parents: [target, tip],
    tree,
    message:
      options.merge_commit_message || `Merge branch '${mr.source_branch}' into '${mr.target_branch}'\n\n${mr.title}`,
    author: user,
    committer: user,
  })
  return { head: merge_commit_sha, merge_commit_sha, squash_commit_sha }
}

interface MergeSource {
  head: string
  base: string
}

async function asItIs(world: World, mr: MergeRequest, target: string): Promise<MergeSource | undefined> {
  const base = await mergeBase(world, mr.project_id, target, mr.sha)
  return base === null ? undefined : { head: mr.sha, base }
}

/** A head behind its target is rebased by a merge train and by automatic rebase, which leave the source branch where it is. */
async function onTop(world: World, mr: MergeRequest, target: string, user: User): Promise<MergeSource | undefined> {
  const base = await mergeBase(world, mr.project_id, target, mr.sha)
  if (base === target) return { head: mr.sha, base }
  const isRebased = mr.train_car?.status === 'merging' || projectById(world, mr.project_id).automatic_rebase_enabled
  if (!isRebased) return undefined
  const head = await rebaseCommits(world, mr.project_id, { head: mr.sha, onto: target, committer: user })
  // Without a commit of its own, nothing would be merged.
  return head === undefined || head === target ? undefined : { head, base: target }
}

/** Squashes into one commit by the author, on the merge base. */
async function squash(world: World, mr: MergeRequest, { head, base }: MergeSource, user: User) {
  const author = userById(world, mr.author_id)
  const tree = `${head}^{tree}`
  return writeCommit(world, mr.project_id, { parents: [base], tree, message: mr.title, author, committer: user })
}
