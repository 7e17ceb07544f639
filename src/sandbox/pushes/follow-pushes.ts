// The effects of moved branches and tags: hooks and merge requests.
import { commitsMissingIn } from '../git/read-commits.ts'
import { branchOf, noCommit, readRefs, settleHead } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { sendPush } from '../hooks/push.ts'
import { closeIssuesOf } from '../issues/update.ts'
import { followSource } from '../merge-requests/follow-source.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { now, projectById, type World } from '../storage/world.ts'
import type { RefMove } from './check-push.ts'
import { addPushEvents } from './push-events.ts'

/** A push of more branches or tags sends no hooks for them. */
const hookLimit = 3

/**
 * Compares git with the refs announced so far, and announces the differences as this user's push. Called under the
 * project's lock. `refs`: the user's own; others belong to a push that is about to be announced. `skipsCi`: the pipelines
 * of its branches are skipped, not those of merge requests.
 */
export async function announceRefs(
  world: World,
  projectId: number,
  user: User,
  refs?: readonly string[],
  skipsCi = false,
): Promise<void> {
  const before = projectById(world, projectId).known_refs
  const after = await readRefs(world, projectId, refs)
  const names = new Set(refs ?? [...Object.keys(before), ...Object.keys(after)])
  const changes = [...names]
    .map((ref) => ({ ref, before: before[ref] ?? noCommit, after: after[ref] ?? noCommit }))
    .filter((change) => change.before !== change.after)
  if (changes.length === 0) return
  await followFirstBranch(world, projectId, changes)
  const known = { ...before }
  for (const change of changes) {
    if (change.after === noCommit) delete known[change.ref]
    else known[change.ref] = change.after
  }
  const project = world.projects.update(projectId, { known_refs: known, last_activity_at: now(world) })
  addPushEvents(world, projectId, user.id, changes)
  for (const folder of ['refs/heads/', 'refs/tags/']) {
    const ofFolder = changes.filter((change) => change.ref.startsWith(folder))
    if (ofFolder.length > hookLimit) continue
    for (const change of ofFolder) await sendPush(world, { ...project, known_refs: before }, user, change)
  }
  for (const change of changes) await moveMergeRequests(world, project, user, change)
  for (const { ref, after } of changes) {
    const branch = branchOf(ref)
    const to = { branch: branch ?? '', sha: after, skipsCi }
    if (branch !== undefined && after !== noCommit) await world.ci.pushed(world, project, user, to)
  }
}

/** The first branch of an empty repository becomes the default. */
async function followFirstBranch(world: World, projectId: number, changes: RefMove[]) {
  const project = projectById(world, projectId)
  if (Object.keys(project.known_refs).length > 0) return
  const arrived = changes.map(({ ref }) => ref)
  const default_branch = await settleHead(world, project, arrived)
  if (default_branch !== project.default_branch) world.projects.update(projectId, { default_branch })
}

async function moveMergeRequests(world: World, project: Project, user: User, change: RefMove) {
  const branch = branchOf(change.ref)
  if (branch === undefined) return
  await followTarget(world, project, user, branch, change)
  if (change.after !== noCommit) await followSource(world, project, user, branch, change.after)
}

/** merge_status becomes stale, and merge requests whose commits arrived are merged. */
async function followTarget(world: World, project: Project, user: User, branch: string, change: RefMove) {
  const { before, after: target } = change
  const open = world.mergeRequests
    .where('project', project.id)
    .filter((mr) => mr.state === 'opened' && mr.target_branch === branch)
  // One that was inside its target before has nothing to merge.
  const heads = open.map((mr) => mr.sha)
  const missingIn = (commit: string) =>
    commit === noCommit ? new Set(heads) : commitsMissingIn(world, project.id, commit, heads)
  const [missingBefore, missing] = [await missingIn(before), await missingIn(target)]
  const contained = new Set(open.filter((mr) => missingBefore.has(mr.sha) && !missing.has(mr.sha)))
  for (const mr of open) {
    if (contained.has(mr)) await mergeByPush(world, mr, user, await arrivedWith(world, project, mr.sha, change))
    else if (mr.merge_status !== 'unchecked') world.mergeRequests.update(mr.id, { merge_status: 'unchecked' })
  }
}

/** The commit on the target's own line that brought the head or is it (GitLab: BranchPushMergeCommitAnalyzer). */
async function arrivedWith(world: World, { id }: Project, head: string, { before, after }: RefMove) {
  const range = before === noCommit ? [after] : [after, `^${before}`]
  const list = async (args: string[]) => (await world.git.text(id, ['rev-list', ...args])).trim().split('\n')
  const line = await list(['--first-parent', ...range])
  if (line.includes(head)) return head
  const behind = new Set(await list(['--ancestry-path', `${head}..${after}`]))
  return line.findLast((sha) => behind.has(sha)) ?? after
}

async function mergeByPush(world: World, mr: MergeRequest, user: User, merge_commit_sha: string) {
  const time = now(world)
  const merged = world.mergeRequests.update(mr.id, {
    state: 'merged',
    merge_commit_sha,
    merged_by_id: user.id,
    merge_when_pipeline_succeeds: false,
    auto_merge: null,
    train_car: null,
    merged_at: time,
    updated_at: time,
  })
  await sendMergeRequest(world, merged, user, 'merge', { changes: { state_id: { previous: 1, current: 3 } } })
  await closeIssuesOf(world, merged, user)
}
