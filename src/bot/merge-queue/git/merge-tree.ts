// Merges two commits without a work tree: the tree that a service's merge of them has.
import { GitError, type GitOptions, type GitResult } from './run-git.ts'

export type GitCommand = (args: readonly string[], given?: GitOptions) => Promise<GitResult>

const commitId = /^[0-9a-f]{40,64}$/

/** Commits come from the service. Throws GitError. */
export function checkedCommit(text: string): string {
  if (!commitId.test(text)) throw new GitError('commit', { code: 'unsafe_name', stderr: 'not the id of a commit' })
  return text
}

/** What git compares both with; a service's diff begins at the first. None if they have no common history. */
export async function basesOf(git: GitCommand, one: string, other: string): Promise<string[]> {
  const { stdout } = await git(['merge-base', '--all', checkedCommit(one), checkedCommit(other)], { accept: [1] })
  return stdout.split('\n').filter((each) => each !== '')
}

/**
 * The tree of what `head` changes since its merge base with `onto`, on `onto`: with modes, renames and binary files.
 * Undefined on a conflict. Throws GitError, also if a commit is not in the repository.
 */
export async function mergeTree(git: GitCommand, onto: string, head: string): Promise<string | undefined> {
  const args = ['merge-tree', '--write-tree', '--no-messages', checkedCommit(onto), checkedCommit(head)]
  const merged = await git(args, { accept: [1] }).catch((error: unknown) => {
    // Services merge no unrelated histories either.
    if (error instanceof GitError && error.stderr.includes('unrelated histories')) return undefined
    throw error
  })
  if (merged === undefined) return undefined
  const [tree = ''] = merged.stdout.split('\n')
  // Git also exits with 1, and no tree, for a commit that it does not have.
  if (!commitId.test(tree)) throw new GitError('merge-tree', { code: 'failed', stderr: merged.stderr })
  return merged.code === 1 ? undefined : tree
}
