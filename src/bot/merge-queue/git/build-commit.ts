// Makes the commit of a build in the bare cache, as the project merges: no work tree, and no ref moves.
import { basesOf, checkedCommit, type GitCommand, mergeTree } from './merge-tree.ts'
import type { BranchHead, BuildRequest, BuildResult } from './repository.ts'
import type { GitOptions } from './run-git.ts'

interface Source {
  tree: string
  parent: string
  /** With its date, in git's raw form. */
  author: string
  message: string
}

const soundAuthor = /^[^<>\n]+ <[^<>\n]*> \d+ [+-]\d{4}$/

/** More are not brought over one by one: each takes several runs of git. */
const mostCommits = 1_000

/** Its tree is that of git's merge, as reviewers see it: commits one by one may give another tree. Throws GitError. */
export async function buildCommit(
  git: GitCommand,
  identity: () => Promise<{ name: string; email: string }>,
  request: BuildRequest,
): Promise<BuildResult> {
  const { onto, head, target = onto, message, method = 'merge', squash, at } = request
  const { name, email } = await identity()
  const writer = createWriter(git, { name, email, at })
  const tree = await mergeTree(git, onto, head)
  if (tree === undefined || !(await isShown(tree))) return { is: 'conflict' }
  const last = method === 'merge' ? head : await linear(tree)
  if (typeof last !== 'string') return last
  return { is: 'built', commit: method === 'ff' ? last : await writer.commit(tree, [onto, last], message), tree }

  /** If the base has head commits that the target lacks, or merges of it, a merge may bring what no diff shows. */
  async function isShown(merged: string): Promise<boolean> {
    const shown = await basesOf(git, target, head)
    const used = target === onto ? shown : await basesOf(git, onto, head)
    const [base] = shown
    // A member in front may bring a history that the target lacks.
    if (base === undefined) return false
    if (shown.length === 1 && used.join() === base) return true
    const [from, to, present] = [await writer.treeOf(base), await writer.treeOf(head), await writer.treeOf(onto)]
    return (await writer.change({ from, to, onto: present })) === merged
  }

  async function linear(merged: string): Promise<string | { is: 'conflict' | 'differs' }> {
    const commits = await commitsOf(git, onto, head)
    // Nothing of it is missing in the base.
    if (commits.length === 0 && merged === (await writer.treeOf(onto))) return { is: 'conflict' }
    const isRebased = commits.length <= (squash === undefined ? mostCommits : 1)
    const rebased = isRebased ? await writer.rebase(onto, commits) : undefined
    if (rebased !== undefined && rebased.tree === merged) return rebased.commit
    // Fails closed: what merge commits changed may be what the other commits hide.
    return squash === undefined ? { is: 'differs' } : writer.squash({ tree: merged, onto, head, message: squash })
  }
}

/** The commits that the base lacks, oldest first, without merges; only one more than may be brought over. */
async function commitsOf(git: GitCommand, onto: string, head: string): Promise<string[]> {
  const range = `${checkedCommit(onto)}..${checkedCommit(head)}`
  const which = ['--reverse', '--topo-order', '--no-merges', `--max-count=${mostCommits + 1}`]
  const { stdout } = await git(['rev-list', ...which, range])
  return stdout.split('\n').filter((each) => each !== '')
}

function createWriter(git: GitCommand, by: { name: string; email: string; at: number }) {
  const line = async (args: readonly string[], given?: GitOptions) => (await git(args, given)).stdout.trim()
  const treeOf = (commit: string) => line(['rev-parse', '--verify', `${commit}^{tree}`])
  const commit = (tree: string, parents: readonly string[], message: string) =>
    line(['commit-tree', checkedCommit(tree), ...parents.flatMap((each) => ['-p', each]), '-m', message], {
      identity: by,
    })

  async function sourceOf(sha: string): Promise<Source> {
    const format = '--format=%T%x00%P%x00%an <%ae> %ad%x00%B'
    const { stdout } = await git(['show', '--no-patch', '--encoding=UTF-8', '--date=raw', format, checkedCommit(sha)])
    const [tree = '', parents = '', author = '', ...message] = stdout.split('\0')
    return { tree, parent: parents.split(' ')[0] ?? '', author, message: `${message.join('').trimEnd()}\n` }
  }

  /** Its author is its own, or the bot if a service may refuse that one. */
  function write(tree: string, parent: string, { author, message }: Pick<Source, 'author' | 'message'>) {
    const committer = `${by.name} <${by.email}> ${by.at} +0000`
    const lines = [`tree ${tree}`, `parent ${parent}`, `author ${soundAuthor.test(author) ? author : committer}`]
    const input = [...lines, `committer ${committer}`, '', message].join('\n')
    return line(['hash-object', '-t', 'commit', '-w', '--stdin'], { input })
  }

  /** The tree of a change on another tree. Git before 2.40 takes no merge base: commits without history stand in. */
  async function change({ from, to, onto }: Record<'from' | 'to' | 'onto', string>): Promise<string | undefined> {
    const stand = (of: string, parents: readonly string[]) => commit(of, parents, 'Stand in')
    const base = await stand(from, [])
    return mergeTree(git, await stand(onto, [base]), await stand(to, [base]))
  }

  return {
    commit,
    change,
    treeOf,
    /** Its author is that of the last commit. */
    async squash({ tree, onto, head, message }: Record<'tree' | 'onto' | 'head' | 'message', string>): Promise<string> {
      const { author } = await sourceOf(head)
      return write(tree, onto, { author, message: `${message}\n` })
    },
    /** Commits that follow the base stay as they are, so that the service sees that they are merged. */
    async rebase(onto: string, commits: readonly string[]): Promise<BranchHead | undefined> {
      let present: BranchHead | undefined
      for (const [index, sha] of commits.entries()) {
        const source = await sourceOf(sha)
        const parent: string = present?.commit ?? onto
        if (source.parent === parent) {
          present = { commit: sha, tree: source.tree }
          continue
        }
        const from = source.parent === '' ? await line(['mktree']) : await treeOf(source.parent)
        const before = await treeOf(parent)
        const tree = await change({ from, to: source.tree, onto: before })
        if (tree === undefined) return undefined
        // What it changes is there already; one commit stays, so that the build differs from its base.
        const isNeedless = tree === before && (present !== undefined || index < commits.length - 1)
        if (!isNeedless) present = { commit: await write(tree, parent, source), tree }
      }
      return present
    },
  }
}
