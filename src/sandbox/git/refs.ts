// Branches and tags of a bare repository.
import type { Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { branchOf, isRefName, isSha, noCommit } from './names.ts'

/** Branches and tags, all or those of these names: full name → what it points to. */
export async function readRefs(
  world: World,
  projectId: number,
  names?: readonly string[],
): Promise<Record<string, string>> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags']
  const lines = (await world.git.text(projectId, args)).split('\n').filter((line) => line !== '')
  const refs = lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const)
  return Object.fromEntries(names === undefined ? refs : refs.filter(([name]) => names.includes(name)))
}

/** The commit of each revision, or undefined; one process for all. */
export async function commitsOf(
  world: World,
  projectId: number,
  revisions: readonly string[],
): Promise<(string | undefined)[]> {
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
  if (named !== undefined) return (await commitsOf(world, projectId, [`${name}^{commit}`]))[0]
  const revisions = [`refs/tags/${name}^{commit}`, `refs/heads/${name}^{commit}`]
  // As git does: a whole id is that commit, whatever else has its name.
  if (isSha(name)) revisions.unshift(`${name}^{commit}`)
  else if (/^[0-9a-f]{7,64}$/.test(name)) revisions.push(`${name}^{commit}`)
  if (name === 'HEAD') revisions.push('HEAD^{commit}')
  return (await commitsOf(world, projectId, revisions)).find((commit) => commit !== undefined)
}

/** Moves a ref from a known commit; false when someone else moved it first. `noCommit` creates or removes it. */
export async function moveRef(
  world: World,
  projectId: number,
  ref: string,
  from: string,
  to: string,
): Promise<boolean> {
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
export async function settleHead(
  world: World,
  { id, default_branch }: Project,
  refs: readonly string[],
): Promise<string> {
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
