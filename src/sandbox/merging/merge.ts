// Merges into the target branch by compare-and-swap.

import { developer, projectLevel } from '../access/access.ts'
import { noCommit } from '../git/names.ts'
import { readCommit } from '../git/read-commits.ts'
import { announcedHead, branchHead, moveRef } from '../git/refs.ts'
import { writeCommit, writeTree } from '../git/write-commits.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { ErrorResponse } from '../http/error-response.ts'
import { closeIssuesOf } from '../issues/closing-issues.ts'
import { headsOf, measure } from '../merge-requests/status.ts'
import { refuseByPushRule } from '../pushes/check-push.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import { protectionsOf } from '../pushes/protected-branches.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { now, projectById, userById, type World } from '../storage/world.ts'
import { type MergeCommits, type MergeMessages, writeMergeCommits } from './merge-commits.ts'

interface MergeOptions extends MergeMessages {
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
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  const { base_sha, changes_count } = mr.merge_status_of === headsOf(target, mr) ? mr : await measure(world, mr)
  const measured = { base_sha, changes_count }
  if (measured.base_sha === null || measured.base_sha === mr.sha) return undefined
  const commits = await mergeIntoTarget(world, mr, user, options)
  if (commits === undefined) return undefined
  const { merge_commit_sha, squash_commit_sha } = commits
  const merged = world.mergeRequests.update(mr.id, {
    ...measured,
    state: 'merged',
    merge_commit_sha,
    squash_commit_sha,
    merged_head: commits.head,
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
      ...(merge_commit_sha !== null && { merge_commit_sha: { previous: null, current: merge_commit_sha } }),
      updated_at: { previous: mr.updated_at, current: merged.updated_at },
    },
  })
  await closeIssuesOf(world, merged, user)
  return merged
}

async function mergeIntoTarget(
  world: World,
  mr: MergeRequest,
  user: User,
  options: MergeOptions,
): Promise<MergeCommits | undefined> {
  const ref = `refs/heads/${mr.target_branch}`
  const fault = world.mergeFault()
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const target = await branchHead(world, mr.project_id, mr.target_branch)
    const right = target === undefined ? undefined : await writeMergeCommits(world, mr, { target, user, ...options })
    if (target === undefined || right === undefined) return undefined
    const commits = fault === undefined ? right : await falsify(world, mr.project_id, { ...right, user })
    const after = commits.head
    if (!(await passesPushRule(world, mr, { ref, before: target, after }))) return undefined
    if (await moveRef(world, mr.project_id, ref, target, after)) return commits
  }
  return undefined
}

/** A merge is a push: the push rule's objection becomes merge_error. */
async function passesPushRule(world: World, mr: MergeRequest, move: { ref: string; before: string; after: string }) {
  try {
    await refuseByPushRule(world, projectById(world, mr.project_id), [move])
    return true
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error
    world.mergeRequests.update(mr.id, { merge_error: String(error.body.message) })
    return false
  }
}

async function falsify(
  world: World,
  projectId: number,
  { user, ...commits }: MergeCommits & { user: User },
): Promise<MergeCommits> {
  const { parents, message } = await readCommit(world, projectId, commits.head)
  const file = { action: 'create', file_path: 'not-asked-for.txt', content: Buffer.from(commits.head) } as const
  const tree = await writeTree(world, projectId, commits.head, [file])
  const head = await writeCommit(world, projectId, { parents, tree, message, author: user, committer: user })
  const rename = (sha: string | null) => (sha === commits.head ? head : sha)
  return {
    head,
    merge_commit_sha: rename(commits.merge_commit_sha),
    squash_commit_sha: rename(commits.squash_commit_sha),
  }
}

/**
 * Called under the target's lock, before its refs are announced; a fork's branch goes later, under the fork's lock. The
 * user who requested the removal must be allowed to push there.
 */
async function removeSourceBranch(world: World, mr: MergeRequest, merger: User): Promise<void> {
  if (!(mr.should_remove_source_branch ?? mr.force_remove_source_branch)) return
  if (mr.source_project_id === mr.project_id) {
    await remove(world, mr)
    return
  }
  const user = mr.should_remove_source_branch === true ? merger : userById(world, mr.author_id)
  world.background(`project ${mr.source_project_id}`, async (ownWorld) => {
    const fork = ownWorld.projects.get(mr.source_project_id)
    if (fork === undefined || fork.archived || projectLevel(ownWorld, user, fork) < developer) return
    await remove(ownWorld, mr)
    await announceRefs(ownWorld, fork.id, user, [`refs/heads/${mr.source_branch}`])
  })
}

async function remove(world: World, mr: MergeRequest) {
  const source = world.projects.get(mr.source_project_id)
  if (source === undefined || mr.source_branch === source.default_branch) return
  // GitLab does not remove a protected source branch.
  if (protectionsOf(world, source, mr.source_branch).length > 0) return
  // Fails after a new push: then the branch stays.
  await moveRef(world, mr.source_project_id, `refs/heads/${mr.source_branch}`, mr.sha, noCommit)
}
