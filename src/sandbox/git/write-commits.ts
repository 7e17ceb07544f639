// Makes commits in a bare repository without a work tree: from files, merges, rebases and cherry-picks.
import { randomUUID } from 'node:crypto'
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { badParameter, refuse } from '../http/error-response.ts'
import { refuseByPushRule } from '../pushes/check-push.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import type { MergeRef, World } from '../storage/world.ts'
import { cleanPerson, type GitIdentity } from './git.ts'
import { parseFields } from './read-commits.ts'
import { branchHead, isFilePath, isRefName, moveRef, noCommit, readRef } from './refs.ts'

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
  const imported = `refs/imported/${randomUUID()}`
  const stream = [
    `commit ${imported}\nmark :1\nauthor ${personNow(author)}\ncommitter ${personNow(committer)}\n`,
    `data ${Buffer.byteLength(message)}\n${message}\n`,
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

/** Null on a conflict. */
export async function mergeTree(world: World, projectId: number, target: string, source: string) {
  const result = await world.git.run(projectId, ['merge-tree', '--write-tree', '--no-messages', target, source])
  if (result.code === 0) return result.stdout.toString().trim()
  // 1 is a conflict; other codes are unrelated histories or a missing commit.
  return null
}

/**
 * Points `refs/merge-requests/N/NAME` at a merge of the head onto another commit; null on a conflict. The name is
 * `merge` for merged results, `train` for a merge train.
 */
export async function writeMergeRef(
  world: World,
  { project_id, iid, sha: head }: MergeRequest,
  user: User,
  { name, onto }: { name: 'merge' | 'train'; onto: string },
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

type CommitRequest = Pick<
  CheckedParams<Api['repository']['commits']['create']>,
  'branch' | 'start_branch' | 'actions'
> & {
  message: string
  author: GitIdentity
  committer: GitIdentity
}

/** Moves the branch only if nobody else did meanwhile. */
export async function commitFiles(world: World, project: Project, request: CommitRequest): Promise<string> {
  if (!isRefName(request.branch)) throw refuse(400, 'Branch name is invalid')
  const actions = request.actions.map(readAction)
  const { head, parent } = await findParent(world, project, request)
  const { message, author, committer } = request
  const parents = parent === null ? [] : [parent]
  const commit = await writeFiles(world, project.id, parent, { parents, message, author, committer, actions })
  const ref = `refs/heads/${request.branch}`
  await refuseByPushRule(world, project, { ref, before: head ?? noCommit, after: commit })
  const moved = await moveRef(world, project.id, ref, head ?? noCommit, commit)
  if (!moved)
    throw refuse(
      400,
      'Could not update the branch: it was pushed to, or its name conflicts with an existing branch. Try again',
    )
  return commit
}

async function findParent(world: World, project: Project, { branch, start_branch }: CommitRequest) {
  const head = await branchHead(world, project.id, branch)
  if (start_branch !== undefined && start_branch !== branch) {
    if (head !== undefined) {
      throw refuse(400, `A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
    }
    const start = await branchHead(world, project.id, start_branch)
    if (start === undefined) throw refuse(400, 'Cannot find start_branch')
    return { head, parent: start }
  }
  // Without start_branch: an existing branch, or the first branch of an empty repository.
  if (head === undefined && Object.keys(project.known_refs).length > 0) {
    throw refuse(400, 'You can only create or edit files when you are on a branch')
  }
  return { head, parent: head ?? null }
}

function readAction({ action, file_path, content, encoding }: CommitRequest['actions'][number]): FileAction {
  if (!isFilePath(file_path)) throw refuse(400, `file_path '${file_path}' is not a path inside the repository`)
  if (content === undefined && action === 'update') throw badParameter('actions[content] is missing')
  return { action, file_path, content: Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8') }
}

type Source = Awaited<ReturnType<typeof readSources>>[number]
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

async function readSources(world: World, projectId: number, range: string[]) {
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
