// Rebases commits in a bare repository: no work tree, no ref moves.
import type { World } from '../storage/world.ts'
import type { GitIdentity } from './git.ts'
import { parseFields } from './read-commits.ts'
import { mergeTree, writeCommit } from './write-commits.ts'

interface Source {
  sha: string
  parent: string
  author: GitIdentity
  /** git's raw form: seconds and zone. */
  authored: string
  message: string
}
const format = '--format=%H%x00%P%x00%an%x00%ae%x00%ad%x00%B'

/**
 * Applies the commits of `head` on top of `onto` and returns the last one. Like `git rebase`, drops merges, duplicates
 * and commits that become empty. Undefined on a conflict.
 */
export async function rebaseCommits(
  world: World,
  projectId: number,
  { head, onto, committer }: { head: string; onto: string; committer: GitIdentity },
): Promise<string | undefined> {
  let present = onto
  const range = ['--reverse', '--topo-order', '--no-merges', '--cherry-pick', '--right-only', `${onto}...${head}`]
  for (const commit of await readSources(world, projectId, range)) {
    if (commit.parent === present) {
      present = commit.sha
      continue
    }
    const tree = await pick(world, projectId, commit, present)
    if (tree === null) return undefined
    const becomesEmpty = tree === (await treeOf(world, projectId, present))
    if (becomesEmpty && (await treeOf(world, projectId, commit.sha)) !== (await parentTree(world, projectId, commit)))
      continue
    present = await writeCommit(world, projectId, { ...commit, parents: [present], tree, committer })
  }
  return present
}

/** Applies one commit on top of `onto`, a merge commit as it changed its first parent. Its message names the commit. */
export async function cherryPick(
  world: World,
  projectId: number,
  { sha, onto, committer }: { sha: string; onto: string; committer: GitIdentity },
): Promise<{ sha: string } | { failed: 'conflict' | 'empty' }> {
  const [commit] = await readSources(world, projectId, ['--no-walk', sha])
  if (commit === undefined) throw new Error(`no commit ${sha}`)
  const tree = await pick(world, projectId, commit, onto)
  if (tree === null) return { failed: 'conflict' }
  if (tree === (await treeOf(world, projectId, onto))) return { failed: 'empty' }
  const message = `${commit.message.trimEnd()}\n\n(cherry picked from commit ${sha})`
  return { sha: await writeCommit(world, projectId, { ...commit, message, parents: [onto], tree, committer }) }
}

async function readSources(world: World, projectId: number, range: string[]): Promise<Source[]> {
  const args = ['log', '-z', '--encoding=UTF-8', '--date=raw', format, ...range]
  return parseFields(await world.git.text(projectId, args), 6).map(
    ([sha = '', parents = '', name = '', email = '', authored = '', message = '']) => {
      return { sha, parent: parents.split(' ')[0] ?? '', author: { name, email }, authored, message }
    },
  )
}

/**
 * Applies one commit's change to another tree. git 2.38 accepts no merge base, so three parentless commits stand in.
 */
async function pick(world: World, projectId: number, commit: Source, onto: string): Promise<string | null> {
  const base = await commitTree(world, projectId, await parentTree(world, projectId, commit), [])
  const ours = await commitTree(world, projectId, `${onto}^{tree}`, ['-p', base])
  const theirs = await commitTree(world, projectId, `${commit.sha}^{tree}`, ['-p', base])
  return mergeTree(world, projectId, ours, theirs)
}

async function commitTree(world: World, projectId: number, tree: string, parents: string[]) {
  return world.git.line(projectId, ['commit-tree', tree, ...parents, '-m', 'rebase'])
}

async function parentTree(world: World, projectId: number, { parent }: Source) {
  return parent === '' ? await world.git.line(projectId, ['mktree']) : treeOf(world, projectId, parent)
}

async function treeOf(world: World, projectId: number, commit: string) {
  return world.git.line(projectId, ['rev-parse', '--verify', `${commit}^{tree}`])
}
