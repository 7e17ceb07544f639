// Carries commits between the sandbox's own repositories: forks, and merge requests from forks (api-v4.md §3.5, §4.2).
import { refuse } from '../refusal.ts'
import { repositoryFolder, type World } from '../world.ts'
import { createRepository } from './create-repository.ts'
import { isSha } from './names.ts'
import { hasCommit } from './refs.ts'

/** git runs the other side without our settings; what it needs of them is said again. */
const otherSide = "--upload-pack=git -c 'safe.directory=*' upload-pack"

async function fetchFrom(world: World, from: number, to: number, refspecs: readonly string[]): Promise<{ code: number; stderr: string }> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--atomic', otherSide, repositoryFolder(world, from), ...refspecs]
  return world.git.run(repositoryFolder(world, to), args, { environment: { GIT_ALLOW_PROTOCOL: 'file' } })
}

/** The ref that keeps a commit alive when no branch has it any more. */
const keepAround = (sha: string): string => `refs/keep-around/${sha}`

/** Keeps a commit of the repository, whatever becomes of the branches that have it: diff versions outlive forced pushes. */
export async function keepCommit(world: World, projectId: number, sha: string): Promise<void> {
  await world.git.text(repositoryFolder(world, projectId), ['update-ref', keepAround(sha), sha])
}

/**
 * Makes a commit of one project's repository, with all its history, available in another's for good.
 * `ref` (`refs/merge-requests/1/head`) is moved to it as well, whatever it named before. 404 when the commit is gone from the source.
 */
export async function fetchInto(world: World, fromProjectId: number, toProjectId: number, sha: string, ref?: string): Promise<void> {
  if (!isSha(sha) || !(await hasCommit(world, fromProjectId, sha))) throw refuse(404, '404 Commit Not Found')
  if (fromProjectId !== toProjectId && !(await hasCommit(world, toProjectId, sha))) {
    const fetched = await fetchFrom(world, fromProjectId, toProjectId, [`+${sha}:${keepAround(sha)}`])
    if (fetched.code !== 0) throw new Error(`git fetch from project ${fromProjectId} failed: ${fetched.stderr.trim()}`)
  }
  await keepCommit(world, toProjectId, sha)
  if (ref !== undefined) await world.git.text(repositoryFolder(world, toProjectId), ['update-ref', ref, sha])
}

/** Makes the repository of a fork: branches and tags, and the same HEAD. Nothing else that the first one keeps comes along. */
export async function cloneRepository(world: World, fromProjectId: number, toProjectId: number): Promise<void> {
  const head = await world.git.text(repositoryFolder(world, fromProjectId), ['symbolic-ref', '--short', 'HEAD'])
  await createRepository(world, toProjectId, head.trim())
  const fetched = await fetchFrom(world, fromProjectId, toProjectId, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'])
  if (fetched.code !== 0) throw new Error(`git fetch from project ${fromProjectId} failed: ${fetched.stderr.trim()}`)
}
