// Makes commits in a bare repository without a work tree.
import { randomUUID } from 'node:crypto'
import { refuse } from '../http/error-response.ts'
import type { MergeRequest, User } from '../records/records.ts'
import type { MergeRef, World } from '../storage/world.ts'
import { cleanPerson, type GitIdentity } from './git.ts'
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

interface FilesContent extends Omit<CommitContent, 'tree' | 'authored'> {
  actions: readonly FileAction[]
}

/** Writes a commit that changes files of another one; no ref moves. Throws 400 for actions that do not fit. */
export async function writeFiles(
  world: World,
  projectId: number,
  base: string | null,
  { parents, message, author, committer, actions }: FilesContent,
): Promise<string> {
  const changes = changesOf(await listFiles(world, projectId, base), actions)
  const text = message.endsWith('\n') ? message : `${message}\n`
  const imported = `refs/imported/${randomUUID()}`
  const stream = [
    `commit ${imported}\nmark :1\nauthor ${personNow(author)}\ncommitter ${personNow(committer)}\n`,
    `data ${Buffer.byteLength(text)}\n${text}`,
    ...parents.map((parent, at) => `${at === 0 ? 'from' : 'merge'} ${parent}\n`),
    ...(base === null || base === parents[0] ? [] : [`M 040000 ${await treeOf(world, projectId, base)} ""\n`]),
    ...changes,
    // So that the ref is never stored.
    `get-mark :1\nreset ${imported}\nfrom ${noCommit}\n`,
  ]
  const input = Buffer.concat(stream.map((part) => Buffer.from(part)))
  return world.git.line(projectId, ['fast-import', '--quiet', '--date-format=now'], { input })
}

/** Commands of git fast-import. `files` are the modes by path. */
function changesOf(files: Map<string, string>, actions: readonly FileAction[]): (string | Buffer)[] {
  return actions.flatMap(({ action, file_path, content }) => {
    const mode = files.get(file_path)
    if (action === 'create' && mode !== undefined) throw refuse(400, 'A file with this name already exists')
    if (action !== 'create' && mode === undefined) throw refuse(400, "A file with this name doesn't exist")
    const path = `"${file_path.replaceAll('"', '\\"')}"`
    if (action === 'delete') {
      files.delete(file_path)
      return [`D ${path}\n`]
    }
    files.set(file_path, mode ?? '100644')
    return [`M ${mode ?? '100644'} inline ${path}\ndata ${content.length}\n`, content, '\n']
  })
}

function personNow(given: GitIdentity): string {
  const { name, email } = cleanPerson(given)
  return `${name} <${email}> now`
}

const treeOf = (world: World, projectId: number, commit: string): Promise<string> =>
  world.git.line(projectId, ['rev-parse', `${commit}^{tree}`])

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
