// New commits, files and blob sizes of a push.
import { isSha, noCommit } from '../git/names.ts'
import { parseFields } from '../git/read-commits.ts'
import type { World } from '../storage/world.ts'

export interface RefMove {
  ref: string
  before: string
  after: string
}
export interface PushedCommit {
  sha: string
  author_email: string
  message: string
}
export interface NewFile {
  commit: string
  path: string
  blob: string
}
/** Where a push has its objects until it is accepted; empty for stored objects. */
export type Quarantine = Record<string, string>

/** Commits that no ref of the repository contains, oldest first. */
export async function readNewCommits(
  world: World,
  projectId: number,
  moves: readonly RefMove[],
  environment: Quarantine,
): Promise<PushedCommit[]> {
  const heads = [...new Set(moves.map((move) => move.after))].filter((sha) => sha !== noCommit && isSha(sha))
  if (heads.length === 0) return []
  const args = 'log -z --topo-order --reverse --encoding=UTF-8 --format=%H%x00%ae%x00%B --stdin --not --all'.split(' ')
  const text = await world.git.text(projectId, args, { input: `${heads.join('\n')}\n`, environment })
  return parseFields(text, 3).map(([sha = '', author_email = '', message = '']) => ({ sha, author_email, message }))
}

/** Added and changed files; of a merge, those that differ from all parents. */
export async function readNewFiles(
  world: World,
  projectId: number,
  commits: readonly PushedCommit[],
  environment: Quarantine,
): Promise<NewFile[]> {
  if (commits.length === 0) return []
  const args = ['diff-tree', '--stdin', '-r', '-c', '--root', '-z', '--raw', '--no-renames', '--no-abbrev']
  const input = commits.map(({ sha }) => `${sha}\n`).join('')
  const fields = (await world.git.text(projectId, args, { input, environment })).split('\0')
  const files: NewFile[] = []
  let commit = ''
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? ''
    if (!field.startsWith(':')) {
      commit = field
      continue
    }
    at += 1
    // `:mode mode sha sha A`; of a merge with two parents `::mode mode mode sha sha sha AM`, the result last.
    const parents = field.lastIndexOf(':') + 1
    const words = field.slice(parents).split(' ')
    const mode = words[parents] ?? ''
    if (mode !== '000000') files.push({ commit, path: fields[at] ?? '', blob: words[parents * 2 + 1] ?? '' })
  }
  return files
}

/** Bytes; submodules have none. */
export async function readSizes(
  world: World,
  projectId: number,
  files: readonly NewFile[],
  environment: Quarantine,
): Promise<Map<string, number>> {
  const blobs = [...new Set(files.map((file) => file.blob))]
  if (blobs.length === 0) return new Map()
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)']
  const text = await world.git.text(projectId, args, { input: `${blobs.join('\n')}\n`, environment })
  const found = [...text.matchAll(/^([0-9a-f]+) blob (\d+)$/gm)]
  return new Map(found.map(([, blob = '', size]) => [blob, Number(size)]))
}
