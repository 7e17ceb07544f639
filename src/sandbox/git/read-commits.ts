// Reads commits and files of a bare repository.
import type { World } from '../storage/world.ts'

export interface GitCommit {
  id: string
  parents: string[]
  author_name: string
  author_email: string
  created_at: string
  message: string
  title: string
}
interface GitFile {
  blob_id: string
  content: Buffer
}

export const commitFormat = '--format=%H%x00%P%x00%an%x00%ae%x00%cI%x00%B'

export function parseCommits(text: string): GitCommit[] {
  return parseFields(text, 6).map(
    ([id = '', parents = '', author_name = '', author_email = '', created_at = '', message = '']) => ({
      id,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      author_name,
      author_email,
      created_at: readTime(created_at),
      message,
      title: message.split('\n')[0] ?? '',
    }),
  )
}

/** Splits NUL-separated output into entries of so many fields each. */
export function parseFields(text: string, count: number): string[][] {
  const fields = text.split('\0')
  return Array.from({ length: Math.floor(fields.length / count) }, (_, index) =>
    fields.slice(index * count, (index + 1) * count),
  )
}

/** Authors write dates: an invalid one becomes 1970. */
function readTime(text: string) {
  const time = Date.parse(text)
  return new Date(Number.isNaN(time) ? 0 : time).toISOString()
}

export async function readCommits(world: World, projectId: number, shas: readonly string[]): Promise<GitCommit[]> {
  if (shas.length === 0) return []
  const args = ['log', '-z', '--no-walk=unsorted', '--encoding=UTF-8', commitFormat, '--stdin']
  const found = parseCommits(await world.git.text(projectId, args, { input: `${shas.join('\n')}\n` }))
  const byId = new Map(found.map((commit) => [commit.id, commit]))
  return shas.flatMap((sha) => byId.get(sha) ?? [])
}

export async function readCommit(world: World, projectId: number, sha: string): Promise<GitCommit> {
  const [commit] = await readCommits(world, projectId, [sha])
  if (commit === undefined) throw new Error(`no commit ${sha}`)
  return commit
}

/** Commits in `to` but not in `from`, newest first. */
export async function commitsBetween(
  world: World,
  projectId: number,
  from: string | null,
  to: string,
  limit?: number,
): Promise<GitCommit[]> {
  const count = limit === undefined ? [] : [`--max-count=${limit}`]
  const range = from === null ? [to] : [`${from}..${to}`]
  const args = ['log', '-z', '--encoding=UTF-8', ...count, commitFormat, '--end-of-options', ...range]
  return parseCommits(await world.git.text(projectId, args))
}

export async function countBetween(world: World, projectId: number, from: string | null, to: string): Promise<number> {
  const args = ['rev-list', '--count', '--end-of-options', from === null ? to : `${from}..${to}`]
  return Number(await world.git.line(projectId, args))
}

/** Null for unrelated histories. */
export async function mergeBase(world: World, projectId: number, one: string, other: string): Promise<string | null> {
  const result = await world.git.run(projectId, ['merge-base', one, other])
  return result.code === 0 ? result.stdout.toString().trim() : null
}

/** `environment` names the objects of a push that is not accepted yet. */
export async function isAncestor(
  world: World,
  projectId: number,
  ancestor: string,
  of: string,
  environment: Record<string, string> = {},
): Promise<boolean> {
  const { code, stderr } = await world.git.run(projectId, ['merge-base', '--is-ancestor', ancestor, of], {
    environment,
  })
  if (code !== 0 && code !== 1) throw new Error(`git merge-base failed (${code}): ${stderr.trim()}`)
  return code === 0
}

/** Undefined when the commit has no such file. */
export async function readFile(
  world: World,
  projectId: number,
  commit: string,
  path: string,
): Promise<GitFile | undefined> {
  const result = await world.git.run(projectId, ['cat-file', '--batch'], { input: `${commit}:${path}\n` })
  const end = result.stdout.indexOf('\n')
  const [, blob_id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(result.stdout.subarray(0, end).toString()) ?? []
  if (blob_id === undefined) return undefined
  return { blob_id, content: result.stdout.subarray(end + 1, end + 1 + Number(size)) }
}

/** The newest commit, seen from `commit`, that touched a file. */
export async function lastCommitOf(world: World, projectId: number, commit: string, path: string): Promise<string> {
  const args = ['log', '--max-count=1', '--format=%H', '--end-of-options', commit, '--', path]
  return world.git.line(projectId, args)
}

/** The commits that `target` does not contain; one process for all. */
export async function commitsMissingIn(
  world: World,
  projectId: number,
  target: string,
  commits: readonly string[],
): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  const input = `${[`^${target}`, ...commits].join('\n')}\n`
  const missing = new Set((await world.git.text(projectId, ['rev-list', '--stdin'], { input })).split('\n'))
  return new Set(commits.filter((commit) => missing.has(commit)))
}

/** Whether the commit has all of these files. */
export async function hasFiles(
  world: World,
  projectId: number,
  sha: string,
  paths: readonly string[],
): Promise<boolean> {
  const files = [...new Set(paths)]
  const args = ['ls-tree', '-z', '--name-only', '--full-tree', sha, '--', ...files]
  return (await world.git.text(projectId, args)).split('\0').length > files.length
}
