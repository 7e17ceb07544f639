// Merges a merge request into its target branch, by plumbing and compare-and-swap (api-v4.md §3.1).
import type { Person } from '../git/git.ts'
import { noCommit } from '../git/names.ts'
import { branchHead, moveRef } from '../git/refs.ts'
import { mergeTree, writeCommit } from '../git/write-commits.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { announceRefs } from '../pushes.ts'
import type { MergeRequest, User } from '../records.ts'
import { now, projectById, userById, type World } from '../world.ts'
import { measure } from './status.ts'

export interface MergeOptions {
  squash: boolean
  merge_commit_message: string | null
  should_remove_source_branch: boolean | null
}

/** A push may win the race for the target branch; then the merge is made again on top of it. */
const attempts = 5

/** Merges exactly the recorded head. Undefined when it conflicts; nothing has changed then. */
export async function merge(world: World, mr: MergeRequest, user: User, options: MergeOptions): Promise<MergeRequest | undefined> {
  const measured = await measure(world, mr)
  if (measured.base_sha === null || measured.base_sha === mr.sha) return undefined
  const merge_commit_sha = await mergeIntoTarget(world, mr, measured.base_sha, user, options)
  if (merge_commit_sha === undefined) return undefined
  const merged = world.mergeRequests.update(mr.id, {
    ...measured,
    state: 'merged',
    merge_commit_sha,
    merged_by_id: user.id,
    merge_status: 'can_be_merged',
    merge_when_pipeline_succeeds: false,
    auto_merge: null,
    should_remove_source_branch: options.should_remove_source_branch,
    squash: options.squash,
    updated_at: now(world),
  })
  await removeSourceBranch(world, merged)
  await announceRefs(world, mr.project_id, user, [`refs/heads/${mr.target_branch}`, `refs/heads/${mr.source_branch}`])
  await sendMergeRequest(world, merged, user, 'merge', {
    changes: {
      state_id: { previous: 1, current: 3 },
      merge_commit_sha: { previous: null, current: merge_commit_sha },
      updated_at: { previous: mr.updated_at, current: merged.updated_at },
    },
  })
  return merged
}

async function mergeIntoTarget(
  world: World,
  mr: MergeRequest,
  base: string,
  user: User,
  options: MergeOptions,
): Promise<string | undefined> {
  const ref = `refs/heads/${mr.target_branch}`
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const target = await branchHead(world, mr.project_id, mr.target_branch)
    if (target === undefined) return undefined
    const tree = await mergeTree(world, mr.project_id, target, mr.sha)
    if (tree === null) return undefined
    const source = options.squash ? await squash(world, mr, base, user) : mr.sha
    const committer: Person = { name: user.name, email: user.email }
    const message = options.merge_commit_message ?? `Merge branch '${mr.source_branch}' into '${mr.target_branch}'\n\n${mr.title}`
    const commit = await writeCommit(world, mr.project_id, { parents: [target, source], tree, message, author: committer, committer })
    if (await moveRef(world, mr.project_id, ref, target, commit)) return commit
  }
  return undefined
}

/** All commits of the merge request as one, by its author, where the source branch began. */
async function squash(world: World, mr: MergeRequest, base: string, user: User): Promise<string> {
  const tree = `${mr.sha}^{tree}`
  const author = userById(world, mr.author_id)
  return writeCommit(world, mr.project_id, { parents: [base], tree, message: mr.title, author, committer: user })
}

async function removeSourceBranch(world: World, mr: MergeRequest): Promise<void> {
  const wanted = mr.should_remove_source_branch ?? mr.force_remove_source_branch
  if (!wanted || mr.source_branch === projectById(world, mr.source_project_id).default_branch) return
  // Fails, and keeps the branch, when somebody has pushed to it since.
  await moveRef(world, mr.source_project_id, `refs/heads/${mr.source_branch}`, mr.sha, noCommit)
}
