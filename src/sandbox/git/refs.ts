// Branches and tags of a bare repository.
import type { Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { cleanPerson, type GitIdentity } from './git.ts'
import { parseFields } from './read-commits.ts'

/** Branches and tags, all or those of these names: full name → what it points to. */
export async function readRefs(world: World, projectId: number, names?: readonly string[]) {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags']
  const lines = (await world.git.text(projectId, args)).split('\n').filter((line) => line !== '')
  const refs = lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const)
  return Object.fromEntries(names === undefined ? refs : refs.filter(([name]) => names.includes(name)))
}

/** The commit of each revision, or undefined; one process for all. */
export async function commitsOf(world: World, projectId: number, revisions: readonly string[]) {
  if (revisions.length === 0) return []
  const text = await world.git.text(projectId, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: `${revisions.join('\n')}\n`,
  })
  return text
    .split('\n')
    .slice(0, revisions.length)
    .map((line) => /^([0-9a-f]{40,64}) commit$/.exec(line)?.[1])
}

/** Whether the repository has this commit, on a branch or not. */
export async function hasCommit(world: World, projectId: number, sha: string): Promise<boolean> {
  return (await commitsOf(world, projectId, [sha]))[0] !== undefined
}

export async function branchHead(world: World, projectId: number, branch: string): Promise<string | undefined> {
  if (!isRefName(branch)) return undefined
  return readRef(world, projectId, `refs/heads/${branch}`)
}

/**
 * The head after the last push that was announced; git may be ahead of it. Code that moves a branch, or depends on its
 * present head, uses `branchHead`.
 */
export function announcedHead(world: World, projectId: number, branch: string): string | undefined {
  return world.projects.get(projectId)?.known_refs[`refs/heads/${branch}`]
}

/** The commit that a ref of any kind points at. */
export async function readRef(world: World, projectId: number, ref: string): Promise<string | undefined> {
  return (await commitsOf(world, projectId, [`${ref}^{commit}`]))[0]
}

/** The commit that a branch, a tag, a full ref or a (shortened) sha names. */
export async function resolveCommit(world: World, projectId: number, name: string): Promise<string | undefined> {
  const [, named] = /^refs\/(?:heads|tags)\/(.+)$/.exec(name) ?? []
  if (!isRefName(named ?? name)) return undefined
  if (named !== undefined) return readRef(world, projectId, name)
  const revisions = [`refs/tags/${name}^{commit}`, `refs/heads/${name}^{commit}`]
  // As git does: a whole id is that commit, whatever else has its name.
  const own = isSha(name) ? await readRef(world, projectId, name) : undefined
  if (own !== undefined) return own
  if (/^[0-9a-f]{7,64}$/.test(name)) revisions.push(`${name}^{commit}`)
  if (name === 'HEAD') revisions.push('HEAD^{commit}')
  return (await commitsOf(world, projectId, revisions)).find((commit) => commit !== undefined)
}

/** Moves a ref from a known commit; false when someone else moved it first. `noCommit` creates or removes it. */
export async function moveRef(world: World, projectId: number, ref: string, from: string, to: string) {
  const args = to === noCommit ? ['update-ref', '-d', ref, from] : ['update-ref', ref, to, from]
  return (await world.git.run(projectId, args)).code === 0
}

/** Prefers a branch that points at the commit to one that contains it. */
export async function branchWith(world: World, projectId: number, sha: string): Promise<string | undefined> {
  for (const relation of ['--points-at', '--contains']) {
    const args = ['for-each-ref', '--count=1', '--format=%(refname)', `${relation}=${sha}`, 'refs/heads']
    const ref = await world.git.line(projectId, args)
    if (ref !== '') return ref.slice('refs/heads/'.length)
  }
  return undefined
}

/** Points HEAD at a branch that exists: its own, the default one, or the first. Returns the name of that branch. */
export async function settleHead(world: World, { id, default_branch }: Project, refs: readonly string[]) {
  const branches = refs.flatMap((ref) => branchOf(ref) ?? [])
  const head = await world.git.line(id, ['symbolic-ref', '--short', 'HEAD'])
  const first = [head, default_branch, ...branches].find((branch) => branches.includes(branch)) ?? head
  if (first !== head) await pointHead(world, id, first)
  return first
}

export async function pointHead(world: World, projectId: number, branch: string): Promise<void> {
  await world.git.text(projectId, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
}

/** Branches whose head `branch` contains. */
export async function branchesMergedInto(world: World, projectId: number, branch: string): Promise<Set<string>> {
  if ((await branchHead(world, projectId, branch)) === undefined) return new Set()
  const args = ['for-each-ref', '--format=%(refname)', `--merged=refs/heads/${branch}`, 'refs/heads']
  const text = await world.git.text(projectId, args)
  return new Set(text.split('\n').map((ref) => ref.slice('refs/heads/'.length)))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const forbiddenInRef = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\x00-\x1f\x7f]/

/** The rules of `git check-ref-format --branch`. */
export function isRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > 255 || /^[-/.]|[/.]$/.test(name)) return false
  return !forbiddenInRef.test(name) && !name.startsWith('refs/')
}

/** Undefined for a ref that is no branch. */
export function branchOf(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** Relative, without `..`, not inside `.git`. */
export function isFilePath(path: string): boolean {
  if (path === '' || path.startsWith('-') || control.test(path) || path.includes('\\')) return false
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !/^(?:\.git|git~1)$/i.test(part))
}

export function isSha(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text)
}

/** git's "no commit": the ref is created or removed. */
export const noCommit = '0'.repeat(40)

export type GitTag = Awaited<ReturnType<typeof readTags>>[number]

const format = '--format=%(refname)%00%(objectname)%00%(objecttype)%00%(contents)%00'

export async function readTag(world: World, projectId: number, name: string): Promise<GitTag | undefined> {
  if (!isRefName(name)) return undefined
  // A folder name also matches the tags inside it.
  return (await readTags(world, projectId, `refs/tags/${name}`)).find((tag) => tag.name === name)
}

/** Newest first, then by name. `target` is the tag object of an annotated tag, else the commit. */
export async function readTags(world: World, projectId: number, pattern = 'refs/tags') {
  const args = ['for-each-ref', '--sort=refname', '--sort=-creatordate', format, pattern]
  const entries = parseFields(await world.git.text(projectId, args), 4)
  const found = entries.map(([ref = '', target = '', type = '', contents = '']) => {
    const name = ref.trimStart().slice('refs/tags/'.length)
    return { name, target, message: type === 'tag' ? contents.trimEnd() : null }
  })
  const revisions = found.map(({ target }) => `${target}^{commit}`)
  const commits = await commitsOf(world, projectId, revisions)
  // Tags of files and folders are not shown.
  return found.flatMap((tag, index) => {
    const commit = commits[index]
    return commit === undefined ? [] : [{ ...tag, commit }]
  })
}

/** Writes an annotated tag; no ref moves. */
export async function writeTag(
  world: World,
  projectId: number,
  { name, commit, message, tagger }: { name: string; commit: string; message: string; tagger: GitIdentity },
): Promise<string> {
  const { name: by, email } = cleanPerson(tagger)
  const head = `object ${commit}\ntype commit\ntag ${name}\ntagger ${by} <${email}> ${Math.floor(Date.now() / 1000)} +0000\n`
  const input = `${head}\n${message.trimEnd()}\n`
  return world.git.line(projectId, ['mktag'], { input })
}
