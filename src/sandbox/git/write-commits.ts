// Makes commits in a bare repository without a work tree: blobs, a temporary index, a tree, a commit.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../http/error-response.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { type MergeRef, repositoryFolder, type World } from '../storage/world.ts'
import type { GitIdentity } from './git.ts'
import { moveRef, noCommit, readRef } from './refs.ts'

export interface FileAction {
  action: 'create' | 'update' | 'delete'
  file_path: string
  content: Buffer
}
interface CommitContent {
  parents: string[]
  tree: string
  message: string
  author: GitIdentity
  /** Seconds and zone, as git writes it raw; now without it. */
  authored?: string
  committer: GitIdentity
}

export async function writeCommit(world: World, projectId: number, commit: CommitContent): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ['-p', parent])
  const args = ['commit-tree', commit.tree, ...parents, '-F', '-']
  const { author, authored = '', committer } = commit
  const environment: Record<string, string> = /^\d+ [-+]\d{4}$/.test(authored)
    ? { GIT_AUTHOR_DATE: `@${authored}` }
    : {}
  return world.git.line(projectId, args, { input: commit.message, author, committer, environment })
}

async function listFiles(world: World, projectId: number, commit: string | null): Promise<Map<string, string>> {
  if (commit === null) return new Map()
  const text = await world.git.text(projectId, ['ls-tree', '-r', '-z', '--full-tree', commit])
  const entries = text.split('\0').filter((entry) => entry !== '')
  return new Map(entries.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry.slice(0, 6)]))
}

/** Applies file actions to a commit's tree. Throws 400 for actions that do not fit. */
export async function writeTree(
  world: World,
  projectId: number,
  parent: string | null,
  actions: readonly FileAction[],
): Promise<string> {
  const files = await listFiles(world, projectId, parent)
  const entries: string[] = []
  for (const { action, file_path, content } of actions) {
    const mode = files.get(file_path)
    if (action === 'create' && mode !== undefined) throw refuse(400, 'A file with this name already exists')
    if (action !== 'create' && mode === undefined) throw refuse(400, "A file with this name doesn't exist")
    if (action === 'delete') {
      files.delete(file_path)
      entries.push(`0 ${noCommit}\t${file_path}\0`)
      continue
    }
    const blob = await world.git.line(projectId, ['hash-object', '-w', '--stdin'], { input: content })
    files.set(file_path, mode ?? '100644')
    entries.push(`${mode ?? '100644'} ${blob}\t${file_path}\0`)
  }
  const indexFile = join(repositoryFolder(world, projectId), `index-${randomUUID()}`)
  try {
    if (parent !== null) await world.git.text(projectId, ['read-tree', parent], { indexFile })
    await world.git.text(projectId, ['update-index', '-z', '--index-info'], { indexFile, input: entries.join('') })
    return await world.git.line(projectId, ['write-tree'], { indexFile })
  } finally {
    await rm(indexFile, { force: true })
  }
}

/** Null on a conflict. */
export async function mergeTree(
  world: World,
  projectId: number,
  target: string,
  source: string,
): Promise<string | null> {
  const result = await world.git.run(projectId, ['merge-tree', '--write-tree', '--no-messages', target, source])
  if (result.code === 0) return result.stdout.toString().trim()
  // 1 is a conflict; other codes are unrelated histories or a missing commit.
  return null
}

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
