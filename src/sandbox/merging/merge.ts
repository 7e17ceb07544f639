// Merges into the target branch by compare-and-swap.
import { developer, projectLevel } from '../access/access.ts'
import { mergeBase, readCommit } from '../git/read-commits.ts'
import { announcedHead, branchHead, moveRef, noCommit } from '../git/refs.ts'
import { mergeTree, rebaseCommits, writeCommit, writeFiles } from '../git/write-commits.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { closeIssuesOf } from '../issues/update.ts'
import { headsOf, measure, squashOnMerge } from '../merge-requests/status.ts'
import { complaintAbout } from '../pushes/check-push.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import { protectionsOf } from '../pushes/protected-branches.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { now, projectById, userById, type World } from '../storage/world.ts'

interface MergeOptions {
  squash: boolean
  merge_commit_message: string | null
  should_remove_source_branch: boolean | null
}

/** Tries again when a push moves the target meanwhile. */
const attempts = 5

/** Merges exactly the recorded head. Undefined on a conflict; then nothing has changed. */
export async function merge(world: World, mr: MergeRequest, user: User, options: MergeOptions) {
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  const { base_sha, changes_count } = mr.merge_status_of === headsOf(target, mr) ? mr : await measure(world, mr)
  const measured = { base_sha, changes_count }
  if (measured.base_sha === null || measured.base_sha === mr.sha) return undefined
  const commits = await mergeIntoTarget(world, mr, user, options)
  if (commits === undefined) return undefined
  const { merge_commit_sha, squash_commit_sha } = commits
  const merged_at = now(world)
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
    merged_at,
    updated_at: merged_at,
  })
  await removeSourceBranch(world, merged, user)
  const own = mr.source_project_id === mr.project_id ? [mr.source_branch] : []
  const refs = [mr.target_branch, ...own].map((branch) => `refs/heads/${branch}`)
  await announceRefs(world, mr.project_id, user, refs)
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

async function mergeIntoTarget(world: World, mr: MergeRequest, user: User, options: MergeOptions) {
  const ref = `refs/heads/${mr.target_branch}`
  const fault = world.mergeFault()
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const target = await branchHead(world, mr.project_id, mr.target_branch)
    const right = target === undefined ? undefined : await writeMergeCommits(world, mr, target, user, options)
    if (target === undefined || right === undefined) return undefined
    const commits = fault === undefined ? right : await falsify(world, mr.project_id, { ...right, user })
    const after = commits.head
    // A merge is a push.
    const merge_error = await complaintAbout(world, projectById(world, mr.project_id), { ref, before: target, after })
    if (merge_error !== undefined) {
      world.mergeRequests.update(mr.id, { merge_error })
      return undefined
    }
    if (await moveRef(world, mr.project_id, ref, target, after)) return commits
  }
  return undefined
}

async function falsify(world: World, projectId: number, { user, ...commits }: MergeCommits & { user: User }) {
  const { parents, message } = await readCommit(world, projectId, commits.head)
  const file = { action: 'create', file_path: 'not-asked-for.txt', content: Buffer.from(commits.head) } as const
  const content = { parents, message, author: user, committer: user, actions: [file] }
  const head = await writeFiles(world, projectId, commits.head, content)
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

type MergeCommits = NonNullable<Awaited<ReturnType<typeof writeMergeCommits>>>

/** Moves no ref. Undefined on a conflict, and if the merge method wants a rebase first. */
async function writeMergeCommits(world: World, mr: MergeRequest, target: string, user: User, options: MergeOptions) {
  const { merge_method } = projectById(world, mr.project_id)
  const source = await sourceFor(world, mr, target, user)
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

/** Merge trains and automatic rebase rebase a head that is behind its target, and do not move the source branch. */
async function sourceFor(world: World, mr: MergeRequest, target: string, user: User): Promise<MergeSource | undefined> {
  const { merge_method, automatic_rebase_enabled } = projectById(world, mr.project_id)
  const base = await mergeBase(world, mr.project_id, target, mr.sha)
  if (base === target) return { head: mr.sha, base }
  if (merge_method === 'merge') return base === null ? undefined : { head: mr.sha, base }
  if (mr.train_car?.status !== 'merging' && !automatic_rebase_enabled) return undefined
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
