// A merge that lies, as a fault: it lands another tree, or on another commit than the target's head.
import { readCommit } from '../git/read-commits.ts'
import { writeCommit, writeTree } from '../git/write-commits.ts'
import type { MergeFault } from '../http/faults.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import type { MergeCommits } from './merge-commits.ts'

export async function falsify(
  world: World,
  projectId: number,
  fault: MergeFault,
  { target, user, ...commits }: MergeCommits & { target: string; user: User },
): Promise<MergeCommits> {
  const { parents, message } = await readCommit(world, projectId, commits.head)
  const by = { author: user, committer: user }
  const write = (content: { parents: string[]; tree: string; message: string }) =>
    writeCommit(world, projectId, { ...content, ...by })
  // An empty commit that nobody pushed comes between target and merge.
  const onto =
    fault === 'wrong_parent'
      ? await write({ parents: [target], tree: `${target}^{tree}`, message: 'Not asked for' })
      : undefined
  const file = { action: 'create', file_path: 'not-asked-for.txt', content: Buffer.from(commits.head) } as const
  const tree = onto === undefined ? await writeTree(world, projectId, commits.head, [file]) : `${commits.head}^{tree}`
  const [first = target, ...others] = parents
  const head = await write({ parents: [onto ?? first, ...others], tree, message })
  const rename = (sha: string | null) => (sha === commits.head ? head : sha)
  return {
    head,
    merge_commit_sha: rename(commits.merge_commit_sha),
    squash_commit_sha: rename(commits.squash_commit_sha),
  }
}
