// Imports and pull mirroring: fetches a project's import_url in the background (api-v4.md §4.3); import_status tells how far it is.
import { rm } from 'node:fs/promises'
import { fetchMirror } from '../git/fetch-mirror.ts'
import { announceRefs } from '../pushes.ts'
import type { Project } from '../records.ts'
import { repositoryFolder, userById, type World } from '../world.ts'
import { adoptRefs } from './adopt-refs.ts'

/** What a pull moves is announced as a push of this user; null is an import, whose branches nobody pushed. */
type AnnounceAs = number | null

/** Starts to fetch; gives the project as it is until then. */
export function startFetch(world: World, { id }: Project, { announceAs }: { announceAs: AnnounceAs }): Project {
  // Not under the project's own lock: a server that never answers must not stop anyone from working in the project or removing it.
  world.background(`fetch ${id}`, (later) => fetchNow(later, id, announceAs))
  return world.projects.update(id, { import_status: 'scheduled', import_error: null })
}

async function fetchNow(world: World, id: number, announceAs: AnnounceAs): Promise<void> {
  const url = world.projects.get(id)?.import_url
  if (url === undefined) return
  if (url === null) {
    world.projects.update(id, { import_status: 'none' })
    return
  }
  world.projects.update(id, { import_status: 'started' })
  try {
    const problem = await fetchMirror(world, id, url)
    await world.serialise(`project ${id}`, () => finish(world, id, announceAs, problem))
  } catch (error) {
    if (world.projects.get(id) !== undefined) {
      world.projects.update(id, { import_status: 'failed', import_error: 'The repository could not be written' })
      throw error
    }
  }
  // git makes folders anew that were removed under it.
  if (world.projects.get(id) === undefined) await rm(repositoryFolder(world, id), { recursive: true, force: true })
}

/** Branches that did arrive count, also when others did not. */
async function finish(world: World, id: number, announceAs: AnnounceAs, problem: string | null): Promise<void> {
  if (world.projects.get(id) === undefined) return
  if (announceAs === null) await adoptRefs(world, id)
  else await announceRefs(world, id, userById(world, announceAs))
  world.projects.update(id, { import_status: problem === null ? 'finished' : 'failed', import_error: problem })
}
