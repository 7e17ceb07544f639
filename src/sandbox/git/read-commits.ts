// Reads commits and files of a bare repository, and differences between two commits.
import type * as z from 'zod'
import type { change } from '../../api/schemas/merge-request.ts'
import { projectById, type World, webUrl } from '../storage/world.ts'

export type GitCommit = ReturnType<typeof parseCommits>[number]

export const commitFormat = '--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B'

export function parseCommits(world: World, projectId: number, text: string) {
  const pages = `${webUrl(world, projectById(world, projectId))}/-/commit`
  return parseFields(text, 9).map(([id = '', parents = '', author_name = '', author_email = '', ...rest]) => {
    const [authored = '', committer_name = '', committer_email = '', committed = '', message = ''] = rest
    return {
      ...{ id, author_name, author_email, committer_name, committer_email, message },
      parents: parents.split(' ').filter((parent) => parent !== ''),
      authored_date: readTime(authored),
      created_at: readTime(committed),
      title: message.split('\n')[0] ?? '',
      web_url: `${pages}/${id}`,
    }
  })
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
  const found = parseCommits(world, projectId, await world.git.text(projectId, args, { input: `${shas.join('\n')}\n` }))
  const byId = new Map(found.map((commit) => [commit.id, commit]))
  return shas.flatMap((sha) => byId.get(sha) ?? [])
}

export async function readCommit(world: World, projectId: number, sha: string): Promise<GitCommit> {
  const [commit] = await readCommits(world, projectId, [sha])
  if (commit === undefined) throw new Error(`no commit ${sha}`)
  return commit
}

/** Commits in `to` but not in `from`, newest first. */
export async function commitsBetween(world: World, projectId: number, from: string | null, to: string, limit?: number) {
  const count = limit === undefined ? [] : [`--max-count=${limit}`]
  const range = from === null ? [to] : [`${from}..${to}`]
  const args = ['log', '-z', '--encoding=UTF-8', ...count, commitFormat, '--end-of-options', ...range]
  return parseCommits(world, projectId, await world.git.text(projectId, args))
}

export async function countBetween(world: World, projectId: number, from: string | null, to: string): Promise<number> {
  const args = ['rev-list', '--count', '--end-of-options', from === null ? to : `${from}..${to}`]
  return Number(await world.git.line(projectId, args))
}

/** Null for unrelated histories. */
export async function mergeBase(world: World, projectId: number, ...commits: string[]): Promise<string | null> {
  const result = await world.git.run(projectId, ['merge-base', '--octopus', ...commits])
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
export async function readFile(world: World, projectId: number, commit: string, path: string) {
  const result = await world.git.run(projectId, ['cat-file', '--batch'], { input: `${commit}:${path}\n` })
  const end = result.stdout.indexOf('\n')
  const [, blob_id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(result.stdout.subarray(0, end).toString()) ?? []
  if (blob_id === undefined) return undefined
  return { blob_id, content: result.stdout.subarray(end + 1, end + 1 + Number(size)) }
}

/** The entries of a folder; undefined when the commit has no such one. */
export async function readTree(
  world: World,
  projectId: number,
  { commit, path, recursive }: { commit: string; path: string; recursive: boolean },
) {
  const args = ['ls-tree', '-z', '--full-tree', ...(recursive ? ['-r', '-t'] : []), `${commit}:${path}`]
  const { code, stdout } = await world.git.run(projectId, args)
  if (code !== 0) return undefined
  const entries = stdout.toString().split('\0').slice(0, -1)
  return entries.map((entry) => {
    const [, mode = '', type = '', id = '', inside = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(entry) ?? []
    const whole = path === '' ? inside : `${path}/${inside}`
    return { id, name: inside.slice(inside.lastIndexOf('/') + 1), type, path: whole, mode }
  })
}

/** The newest commit, seen from `commit`, that touched a file. */
export async function lastCommitOf(world: World, projectId: number, commit: string, path: string): Promise<string> {
  const args = ['log', '--max-count=1', '--format=%H', '--end-of-options', commit, '--', path]
  return world.git.line(projectId, args)
}

/** The commits that `target` does not contain; one process for all. */
export async function commitsMissingIn(world: World, projectId: number, target: string, commits: readonly string[]) {
  if (commits.length === 0) return new Set()
  const input = `${[`^${target}`, ...commits].join('\n')}\n`
  const missing = new Set((await world.git.text(projectId, ['rev-list', '--stdin'], { input })).split('\n'))
  return new Set(commits.filter((commit) => missing.has(commit)))
}

/** Whether the commit has all of these files. */
export async function hasFiles(world: World, projectId: number, sha: string, paths: readonly string[]) {
  const files = [...new Set(paths)]
  const args = ['ls-tree', '-z', '--name-only', '--full-tree', sha, '--', ...files]
  return (await world.git.text(projectId, args)).split('\0').length > files.length
}

/** Longer lists are cut, with `overflow`. */
const maxChanges = 1000

type Entry = Omit<z.output<typeof change>, 'diff'> & { parts: number }

const mode = (raw: string) => (/^0+$/.test(raw) ? '0' : raw)

/** Parses `git diff-tree -r -M -z --raw`. */
function parseRaw(text: string): Entry[] {
  const fields = text.split('\0')
  const entries: Entry[] = []
  let at = 0
  while (at + 1 < fields.length) {
    const head = /^:(\d{6}) (\d{6}) \S+ \S+ ([A-Z])/.exec(fields[at] ?? '')
    if (head === null) break
    const [, a = '', b = '', letter = ''] = head
    const moved = letter === 'R' || letter === 'C'
    const old_path = fields[at + 1] ?? ''
    entries.push({
      old_path,
      new_path: moved ? (fields[at + 2] ?? '') : old_path,
      a_mode: mode(a),
      b_mode: mode(b),
      new_file: letter === 'A',
      renamed_file: letter === 'R',
      deleted_file: letter === 'D',
      // A file that becomes a link, or the reverse, comes as a removal and an addition.
      parts: letter === 'T' ? 2 : 1,
    })
    at += moved ? 3 : 2
  }
  return entries
}

/** The hunks of one file without git's header; the line about a binary file stays. */
function hunks(part: string) {
  const start = /(?<![^\n])(?:@@ |Binary files )/.exec(part)
  return start === null ? '' : part.slice(start.index)
}

async function listEntries(world: World, projectId: number, from: string, to: string): Promise<Entry[]> {
  const args = ['diff-tree', '-r', '-M', '-z', '--raw', '--no-commit-id', '--end-of-options', from, to]
  return parseRaw(await world.git.text(projectId, args))
}

/** `changes_count`: a string, `1000+` beyond the cap. */
export async function countChanges(world: World, projectId: number, from: string | null, to: string): Promise<string> {
  if (from === null) return '0'
  const count = (await listEntries(world, projectId, from, to)).length
  return count > maxChanges ? `${maxChanges}+` : String(count)
}

/** `overflow`: the list was cut. */
export async function readChanges(world: World, projectId: number, from: string | null, to: string) {
  if (from === null) return { changes: [], overflow: false }
  const entries = await listEntries(world, projectId, from, to)
  const args = [
    ...'diff-tree -r -M -p --no-color --no-ext-diff --no-textconv --no-commit-id --end-of-options'.split(' '),
    from,
    to,
  ]
  const { code, stdout, stderr } = await world.git.run(projectId, args)
  // The output exceeded the memory limit: files come without their patches.
  const tooLong = code === -1
  if (code !== 0 && !tooLong) throw new Error(`git diff-tree failed (${code}): ${stderr.trim()}`)
  // Content lines begin with a blank, plus, minus or backslash, so only headers match. Only a line feed ends a line.
  const parts = (tooLong ? '' : stdout.toString())
    .split(/(?<![^\n])(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
  let at = 0
  const changes = entries.map(({ parts: count, ...entry }) => {
    const diff = parts
      .slice(at, at + count)
      .map(hunks)
      .join('')
    at += count
    return { ...entry, diff }
  })
  return { changes: changes.slice(0, maxChanges), overflow: tooLong || changes.length > maxChanges }
}

/** The paths that a commit added, changed and removed against its first parent. */
export async function filesOfCommit(world: World, projectId: number, sha: string) {
  const options = ['-r', '-z', '--raw', '--root', '--diff-merges=first-parent', '--no-renames', '--no-commit-id']
  const entries = parseRaw(await world.git.text(projectId, ['diff-tree', ...options, '--end-of-options', sha]))
  const paths = (wanted: (entry: Entry) => boolean) => entries.filter(wanted).map((entry) => entry.new_path)
  return {
    added: paths((entry) => entry.new_file),
    modified: paths((entry) => !entry.new_file && !entry.deleted_file),
    removed: paths((entry) => entry.deleted_file),
  }
}
