// Throw-away merges of a merge request's head, which pipelines run on.
import type { MergeRequest, User } from '../records/records.ts'
import type { MergeRef, World } from '../storage/world.ts'
import { noCommit } from './names.ts'
import { moveRef, readRef } from './refs.ts'
import { mergeTree, writeCommit } from './write-commits.ts'

interface MergeOnto {
  /** The last part of the ref: `merge` for merged results, `train` for a merge train. */
  name: 'merge' | 'train'
  onto: string
}

/** Points `refs/merge-requests/N/NAME` at a merge of the head onto another commit; null on a conflict. */
export async function writeMergeRef(
  world: World,
  { project_id, iid, sha: head }: MergeRequest,
  user: User,
  { name, onto }: MergeOnto,
): Promise<MergeRef | null> {
  const tree = await mergeTree(world, project_id, onto, head)
  if (tree === null) return null
  const message = `Merge ${head} into ${onto}`
  const commit = { parents: [onto, head], tree, message, author: user, committer: user }
  const sha = await writeCommit(world, project_id, commit)
  const ref = `refs/merge-requests/${iid}/${name}`
  const before = (await readRef(world, project_id, ref)) ?? noCommit
  return (await moveRef(world, project_id, ref, before, sha)) ? { sha, ref, source_sha: head } : null
}
