// Records the refs of an import or a fork, without hooks (api-v4.md §3.5).
import { readRefs } from '../git/refs.ts'
import { now, projectById, type World } from '../storage/world.ts'

/** Called under the project's lock. */
export async function adoptRefs(world: World, projectId: number): Promise<void> {
  const refs = await readRefs(world, projectId)
  const branches = Object.keys(refs).flatMap((ref) =>
    ref.startsWith('refs/heads/') ? [ref.slice('refs/heads/'.length)] : [],
  )
  const head = await world.git.line(projectId, ['symbolic-ref', '--short', 'HEAD'])
  const wanted =
    [head, projectById(world, projectId).default_branch, ...branches].find((branch) => branches.includes(branch)) ??
    head
  if (wanted !== head) await world.git.text(projectId, ['symbolic-ref', 'HEAD', `refs/heads/${wanted}`])
  world.projects.update(projectId, { known_refs: refs, default_branch: wanted, last_activity_at: now(world) })
}
