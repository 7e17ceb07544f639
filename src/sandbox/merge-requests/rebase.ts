// Rebases a source branch onto its target, in the background.
import type { Git } from '../git/git.ts'
import { branchHead, moveRef } from '../git/refs.ts'
import { fetchInto } from '../git/repository.ts'
import { rebaseCommits } from '../git/write-commits.ts'
import { refuse } from '../http/error-response.ts'
import { complaintAbout } from '../pushes/check-push.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import { mayPushTo, protectionsOf } from '../pushes/protected-branches.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { sourceHead } from './find.ts'

/** Ids of merge requests being rebased. Not a record: a rebase ends with the process. */
const underWay = new WeakMap<Git, Set<number>>()

const conflict = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'
const moved = 'Rebase failed: the source branch was pushed to meanwhile. Please retry.'

export function isRebasing(world: World, mr: MergeRequest): boolean {
  return underWay.get(world.git)?.has(mr.id) === true
}

/** Throws 403 for callers who may not push, 409 when closed or already rebasing; starts after the response. */
export async function startRebase(world: World, mr: MergeRequest, user: User): Promise<void> {
  const source = world.projects.get(mr.source_project_id)
  if (source === undefined || (await sourceHead(world, mr)) === undefined)
    throw refuse(403, '403 Forbidden - Source branch does not exist')
  // A rebase is a force push.
  const isForceable = protectionsOf(world, source, mr.source_branch).every((each) => each.allow_force_push)
  if (!mayPushTo(world, source, user, mr.source_branch) || !isForceable || source.archived)
    throw refuse(403, '403 Forbidden - Cannot push to source branch')
  if (mr.state !== 'opened') throw refuse(409, 'The merge request is not open')
  if (isRebasing(world, mr)) throw refuse(409, 'A rebase of this merge request is under way')
  const rebasing = underWay.get(world.git) ?? new Set()
  underWay.set(world.git, rebasing.add(mr.id))
  world.background(`project ${source.id}`, async (ownWorld) => {
    try {
      await rebase(ownWorld, mr.id, user)
    } finally {
      rebasing.delete(mr.id)
    }
  })
}

/** A failure becomes merge_error; the error of an earlier one stays until then. */
async function rebase(world: World, id: number, user: User) {
  const mr = world.mergeRequests.get(id)
  // It may have been merged, closed or deleted, or its fork removed.
  if (mr === undefined || mr.state !== 'opened' || world.projects.get(mr.source_project_id) === undefined) return
  const merge_error = await moveOntoTarget(world, mr, user)
  if (world.mergeRequests.get(id) !== undefined) world.mergeRequests.update(id, { merge_error })
}

async function moveOntoTarget(world: World, mr: MergeRequest, user: User): Promise<string | null> {
  const onto = await branchHead(world, mr.project_id, mr.target_branch)
  if (onto === undefined) return 'Rebase failed: the target branch does not exist.'
  const source = projectById(world, mr.source_project_id)
  if (source.id !== mr.project_id) await fetchInto(world, mr.project_id, source.id, onto)
  const head = await sourceHead(world, mr)
  if (head !== mr.sha) return moved
  const rebased = await rebaseCommits(world, source.id, { head, onto, committer: user })
  if (rebased === undefined) return conflict
  if (rebased === head) return null
  const ref = `refs/heads/${mr.source_branch}`
  const complaint = await complaintAbout(world, source, { ref, before: head, after: rebased })
  if (complaint !== undefined) return `Rebase failed: ${complaint}`
  if (!(await moveRef(world, source.id, ref, head, rebased))) return moved
  world.mergeRequests.update(mr.id, { rebase_commit_sha: rebased })
  await announceRefs(world, source.id, user, [ref])
  return null
}
