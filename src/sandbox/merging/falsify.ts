// A merge that lies, as a fault: it lands another tree.
import { readCommit } from '../git/read-commits.ts'
import { writeCommit, writeTree } from '../git/write-commits.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import type { MergeCommits } from './merge-commits.ts'

export async function falsify(
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
