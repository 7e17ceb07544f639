// Makes the commit of a build in the bare cache, as the project merges: no work tree, and no ref moves.
import { checkedCommit, type GitCommand, mergeTree } from './merge-tree.ts'
import type { BranchHead, BuildRequest, BuildResult } from './repository.ts'
import type { GitOptions } from './run-git.ts'

type Commit = BranchHead | undefined

interface Source {
  tree: string
  parent: string
  /** With its date, in git's raw form. */
  author: string
  message: string
}

const soundAuthor = /^[^<>\n]+ <[^<>\n]*> \d+ [+-]\d{4}$/

/** Throws GitError. */
export async function buildCommit(
  git: GitCommand,
  identity: () => Promise<{ name: string; email: string }>,
  request: BuildRequest,
): Promise<BuildResult> {
  const { onto, head, message, method = 'merge', squash, at } = request
  const { name, email } = await identity()
  const writer = createWriter(git, { name, email, at })
  const built = method === 'merge' ? await writer.merge(onto, head, message) : await linear()
  return built === undefined ? { is: 'conflict' } : { is: 'built', ...built }

  async function linear(): Promise<Commit> {
    const commits = await commitsOf(git, onto, head)
    const rebased =
      squash !== undefined && commits.length > 1
        ? await writer.squash(onto, head, squash)
        : await writer.rebase(onto, commits)
    if (rebased === undefined || method === 'ff') return rebased
    const commit = await writer.commit(rebased.tree, [onto, rebased.commit], message)
    return { commit, tree: rebased.tree }
  }
}

/** The commits that the base lacks, oldest first, without merges. */
async function commitsOf(git: GitCommand, onto: string, head: string): Promise<string[]> {
  const range = `${checkedCommit(onto)}..${checkedCommit(head)}`
  const { stdout } = await git(['rev-list', '--reverse', '--topo-order', '--no-merges', range])
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

  /** By its own author; by the bot where a service may refuse that one. */
  function write(tree: string, parent: string, { author, message }: Pick<Source, 'author' | 'message'>) {
    const committer = `${by.name} <${by.email}> ${by.at} +0000`
    const lines = [`tree ${tree}`, `parent ${parent}`, `author ${soundAuthor.test(author) ? author : committer}`]
    const input = [...lines, `committer ${committer}`, '', message].join('\n')
    return line(['hash-object', '-t', 'commit', '-w', '--stdin'], { input })
  }

  /** The tree after the change of one commit. Git before 2.40 takes no merge base: commits without history stand in. */
  async function pick({ tree, parent }: Source, onto: string): Promise<string | undefined> {
    const stand = (of: string, parents: readonly string[]) => commit(of, parents, 'Stand in')
    const base = await stand(parent === '' ? await line(['mktree']) : await treeOf(parent), [])
    return mergeTree(git, await stand(await treeOf(onto), [base]), await stand(tree, [base]))
  }

  return {
    commit,
    async merge(onto: string, head: string, message: string): Promise<Commit> {
      const tree = await mergeTree(git, onto, head)
      return tree === undefined ? undefined : { commit: await commit(tree, [onto, head], message), tree }
    },
    /** By the author of the last commit. */
    async squash(onto: string, head: string, message: string): Promise<Commit> {
      const tree = await mergeTree(git, onto, head)
      if (tree === undefined) return undefined
      const { author } = await sourceOf(head)
      return { commit: await write(tree, onto, { author, message: `${message}\n` }), tree }
    },
    /** Commits that follow the base stay as they are, so that the service sees that they are merged. */
    async rebase(onto: string, commits: readonly string[]): Promise<Commit> {
      let present: Commit
      for (const [index, sha] of commits.entries()) {
        const source = await sourceOf(sha)
        const parent: string = present?.commit ?? onto
        if (source.parent === parent) {
          present = { commit: sha, tree: source.tree }
          continue
        }
        const tree = await pick(source, parent)
        if (tree === undefined) return undefined
        // What it changes is there already; one commit stays, so that the build differs from its base.
        const isNeedless = tree === (await treeOf(parent)) && (present !== undefined || index < commits.length - 1)
        if (!isNeedless) present = { commit: await write(tree, parent, source), tree }
      }
      // Nothing of it is missing in the base.
      return present
    },
  }
}
