// Branches and tags that came with an import or a fork: nobody pushed them, so no hook tells of them (api-v4.md §3.5).
import { readRefs } from '../git/refs.ts'
import { now, projectById, repositoryFolder, type World } from '../world.ts'

/** Takes note of what is in the repository, and of the default branch that it has brought along. Called under the project's lock. */
export async function adoptRefs(world: World, projectId: number): Promise<void> {
  const folder = repositoryFolder(world, projectId)
  const refs = await readRefs(world, projectId)
  const branches = Object.keys(refs).flatMap((ref) => (ref.startsWith('refs/heads/') ? [ref.slice('refs/heads/'.length)] : []))
  const head = (await world.git.text(folder, ['symbolic-ref', '--short', 'HEAD'])).trim()
  const wanted = [head, projectById(world, projectId).default_branch, ...branches].find((branch) => branches.includes(branch)) ?? head
  if (wanted !== head) await world.git.text(folder, ['symbolic-ref', 'HEAD', `refs/heads/${wanted}`])
  world.projects.update(projectId, { known_refs: refs, default_branch: wanted, last_activity_at: now(world) })
}
