// Merges into the target branch by compare-and-swap (api-v4.md §3.1).
import { branchHead, moveRef } from '../git/refs.ts'
import { mergeTree, writeCommit } from '../git/write-commits.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { ErrorResponse } from '../http/error-response.ts'
import { closeIssuesOf } from '../issues/closing-issues.ts'
import { refuseByPushRule } from '../pushes/check-push.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { now, projectById, userById, type World } from '../storage/world.ts'
import { removeSourceBranch } from './remove-source-branch.ts'
import { headsOf, measure, squashOnMerge } from './status.ts'

interface MergeOptions {
  squash: boolean
  merge_commit_message: string | null
  should_remove_source_branch: boolean | null
}

/** Tries again when a push moves the target meanwhile. */
const attempts = 5

/** Merges exactly the recorded head. Undefined on a conflict; then nothing has changed. */
export async function merge(
  world: World,
  mr: MergeRequest,
  user: User,
  options: MergeOptions,
): Promise<MergeRequest | undefined> {
  const target = await branchHead(world, mr.project_id, mr.target_branch)
  const { base_sha, changes_count } = mr.merge_status_of === headsOf(target, mr) ? mr : await measure(world, mr)
  const measured = { base_sha, changes_count }
  if (measured.base_sha === null || measured.base_sha === mr.sha) return undefined
  const merge_commit_sha = await mergeIntoTarget(world, mr, measured.base_sha, user, options)
  if (merge_commit_sha === undefined) return undefined
  const merged = world.mergeRequests.update(mr.id, {
    ...measured,
    state: 'merged',
    merge_commit_sha,
    merged_by_id: user.id,
    merge_error: null,
    merge_status: 'can_be_merged',
    merge_when_pipeline_succeeds: false,
    auto_merge: null,
    should_remove_source_branch: options.should_remove_source_branch,
    squash: options.squash,
    updated_at: now(world),
  })
  await removeSourceBranch(world, merged, user)
  const own = mr.source_project_id === mr.project_id ? [mr.source_branch] : []
  await announceRefs(
    world,
    mr.project_id,
    user,
    [mr.target_branch, ...own].map((branch) => `refs/heads/${branch}`),
  )
  await sendMergeRequest(world, merged, user, 'merge', {
    changes: {
      state_id: { previous: 1, current: 3 },
      merge_commit_sha: { previous: null, current: merge_commit_sha },
      updated_at: { previous: mr.updated_at, current: merged.updated_at },
    },
  })
  await closeIssuesOf(world, merged, user)
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
    const squashes = squashOnMerge(projectById(world, mr.project_id), options.squash)
    const source = squashes ? await squash(world, mr, base, user) : mr.sha
    const message =
      options.merge_commit_message || `Merge branch '${mr.source_branch}' into '${mr.target_branch}'\n\n${mr.title}`
    const commit = await writeCommit(world, mr.project_id, {
      parents: [target, source],
      tree,
      message,
      author: user,
      committer: user,
    })
    if (!(await keepsPushRule(world, mr, { ref, before: target, after: commit }))) return undefined
    if (await moveRef(world, mr.project_id, ref, target, commit)) return commit
  }
  return undefined
}

/** A merge is a push: the push rule's objection becomes merge_error. */
async function keepsPushRule(world: World, mr: MergeRequest, move: { ref: string; before: string; after: string }) {
  try {
    await refuseByPushRule(world, projectById(world, mr.project_id), [move])
    return true
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error
    world.mergeRequests.update(mr.id, { merge_error: String(error.body.message) })
    return false
  }
}

/** Squashes into one commit by the author, on the merge base. */
async function squash(world: World, mr: MergeRequest, base: string, user: User) {
  const tree = `${mr.sha}^{tree}`
  const author = userById(world, mr.author_id)
  return writeCommit(world, mr.project_id, { parents: [base], tree, message: mr.title, author, committer: user })
}
