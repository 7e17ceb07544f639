// Forks: the project exists at once; its repository is copied in the background.
import { rm } from 'node:fs/promises'
import { readRefs, settleHead } from '../git/refs.ts'
import { cloneRepository, fetchMirror } from '../git/repository.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import { pick } from '../records/fields.ts'
import type { Project, User } from '../records/records.ts'
import { now, projectById, repositoryFolder, userById, type World } from '../storage/world.ts'
import { enterProject } from './enter.ts'

/** Throws 409 for a taken name or path. */
export async function forkProject(
  world: World,
  source: Project,
  { creator, namespace_id }: { creator: User; namespace_id: number },
): Promise<Project> {
  const own = { namespace_id, creator_id: creator.id, forked_from_id: source.id, import_status: 'scheduled' } as const
  const fork = await enterProject(world, { ...pick(source, ...inherited), ...own }, { takenStatus: 409 })
  world.background(`project ${fork.id}`, (later) => fillFork(later, { from: source.id, to: fork.id }))
  return fork
}

export async function fillFork(world: World, { from, to }: { from: number; to: number }): Promise<void> {
  if (world.projects.get(to) === undefined) return
  world.projects.update(to, { import_status: 'started' })
  try {
    await cloneRepository(world, from, to)
    await adoptRefs(world, to)
  } catch (error) {
    const gone = world.projects.get(from) === undefined
    world.projects.update(to, {
      import_status: 'failed',
      import_error: gone ? 'The forked project was removed meanwhile' : String(error),
    })
    if (gone) return
    throw error
  }
  world.projects.update(to, { import_status: 'finished' })
}

/** Merge settings are not. */
const inherited = [
  ...(['name', 'path', 'visibility', 'description', 'default_branch', 'tag_list', 'ci_config_path'] as const),
  ...(['lfs_enabled', 'issues_enabled', 'merge_requests_enabled', 'wiki_enabled', 'jobs_enabled'] as const),
  ...(['snippets_enabled', 'container_registry_enabled', 'resolve_outdated_diff_discussions'] as const),
  ...(['shared_runners_enabled', 'public_jobs'] as const),
]

/** Called under the project's lock. */
export async function adoptRefs(world: World, projectId: number): Promise<void> {
  const refs = await readRefs(world, projectId)
  const default_branch = await settleHead(world, projectById(world, projectId), Object.keys(refs))
  world.projects.update(projectId, { known_refs: refs, default_branch, last_activity_at: now(world) })
}

/** The user who is named as pusher; null for an import, which sends no hooks. */
type PusherId = number | null

export function startFetch(world: World, { id }: Project, { pusher }: { pusher: PusherId }): Project {
  // Not under the project's lock: a server that hangs must not block the project.
  world.background(`fetch ${id}`, (later) => fetchNow(later, id, pusher))
  return world.projects.update(id, { import_status: 'scheduled', import_error: null })
}

async function fetchNow(world: World, id: number, pusher: PusherId) {
  const url = world.projects.get(id)?.import_url
  if (url === undefined) return
  if (url === null) {
    world.projects.update(id, { import_status: 'none' })
    return
  }
  world.projects.update(id, { import_status: 'started' })
  try {
    const problem = await fetchMirror(world, id, url)
    await world.serialise(`project ${id}`, () => finish(world, id, pusher, problem))
  } catch (error) {
    if (world.projects.get(id) !== undefined) {
      world.projects.update(id, { import_status: 'failed', import_error: 'The repository could not be written' })
      throw error
    }
  }
  // git recreates folders that were removed meanwhile.
  if (world.projects.get(id) === undefined) await rm(repositoryFolder(world, id), { recursive: true, force: true })
}

/** Branches that arrived count even if others failed. */
async function finish(world: World, id: number, pusher: PusherId, problem: string | null) {
  if (world.projects.get(id) === undefined) return
  if (pusher === null) await adoptRefs(world, id)
  else await announceRefs(world, id, userById(world, pusher))
  world.projects.update(id, { import_status: problem === null ? 'finished' : 'failed', import_error: problem })
}
