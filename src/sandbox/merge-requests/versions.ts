// Diff versions: one for each push, kept for good (api-v4.md §2.7).
import { noCommit } from '../git/names.ts'
import { announcedHead } from '../git/refs.ts'
import type { MergeRequest } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

/** Records a new version when head or base differ from the last one. */
export async function recordVersion(world: World, mr: MergeRequest): Promise<void> {
  // Unrelated histories have no base, but the field is a string.
  const base = mr.base_sha ?? noCommit
  const last = world.diffVersions.where('mergeRequest', mr.id).at(-1)
  if (last?.head_commit_sha === mr.sha && last.base_commit_sha === base) return
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  world.diffVersions.add({
    id: nextNumber(world, 'diff versions'),
    merge_request_id: mr.id,
    head_commit_sha: mr.sha,
    base_commit_sha: base,
    start_commit_sha: target ?? base,
    created_at: now(world),
    real_size: mr.changes_count,
  })
}
