// A project's bare repository: creation, size, housekeeping, and copies between repositories, for forks.

import { mkdir } from 'node:fs/promises'
import { refuse } from '../http/error-response.ts'
import { repositoryFolder, type World } from '../storage/world.ts'
import { hasCommit, isSha } from './refs.ts'

/** git runs the other side without our settings; repeat the one it needs. */
const otherSide = "--upload-pack=git -c 'safe.directory=*' upload-pack"

async function fetchFrom(world: World, from: number, to: number, refspecs: readonly string[]) {
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--atomic', otherSide]
  const args = ['fetch', ...options, repositoryFolder(world, from), ...refspecs]
  await world.git.text(to, args, { environment: { GIT_ALLOW_PROTOCOL: 'file' } })
}

/** The ref that keeps a commit from being deleted, even if no branch contains it. */
const keepAround = (sha: string) => `refs/keep-around/${sha}`

/** Keeps a commit after forced pushes, since diff versions need it, and points another ref at it as well. */
export async function keepCommit(world: World, projectId: number, sha: string, ref?: string): Promise<void> {
  const refs = [keepAround(sha), ...(ref === undefined ? [] : [ref])]
  await world.git.text(projectId, ['update-ref', '--stdin'], {
    input: refs.map((each) => `update ${each} ${sha}\n`).join(''),
  })
}

/**
 * Copies a commit with its history from one project to another, retains it there, and points `ref` at it. Throws 404
 * when the source no longer has it.
 */
export async function fetchInto(
  world: World,
  fromProjectId: number,
  toProjectId: number,
  sha: string,
  ref?: string,
): Promise<void> {
  if (!isSha(sha) || !(await hasCommit(world, fromProjectId, sha))) throw refuse(404, '404 Commit Not Found')
  if (fromProjectId !== toProjectId && !(await hasCommit(world, toProjectId, sha))) {
    await fetchFrom(world, fromProjectId, toProjectId, [`+${sha}:${keepAround(sha)}`])
  }
  await keepCommit(world, toProjectId, sha, ref)
}

/** Makes a fork's repository: branches, tags and HEAD only. */
export async function cloneRepository(world: World, fromProjectId: number, toProjectId: number): Promise<void> {
  await createRepository(world, toProjectId, await world.git.line(fromProjectId, ['symbolic-ref', '--short', 'HEAD']))
  await fetchFrom(world, fromProjectId, toProjectId, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'])
}

/** An empty bare repository whose HEAD names the given branch. */
export async function createRepository(world: World, projectId: number, branch: string): Promise<void> {
  await mkdir(repositoryFolder(world, projectId), { recursive: true })
  // Explicit branch and no template: the machine's configuration and hooks stay out.
  await world.git.text(projectId, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
}

/** Unreferenced objects stay for git's two weeks, so that a push under way does not lose what it sent. */
export async function collectGarbage(world: World, projectId: number): Promise<void> {
  const result = await world.git.run(projectId, ['gc', '--quiet'])
  if (result.code === 0) return
  if (result.stderr.includes('gc is already running'))
    throw refuse(409, 'Housekeeping is already under way for this project')
  throw new Error(`git gc failed (${result.code}): ${result.stderr.trim()}`)
}

/** Bytes of its objects; 0 when it is gone. */
export async function repositorySize(world: World, projectId: number): Promise<number> {
  const { stdout } = await world.git.run(projectId, ['count-objects', '-v'])
  const kilobytes = [...stdout.toString().matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size))
  return 1024 * kilobytes.reduce((sum, size) => sum + size, 0)
}
