// Imports and pull mirroring: fetches a project's import_url in the background (api-v4.md §4.3); import_status tells how far it is.
import { fetchMirror } from '../git/fetch-mirror.ts'
import { announceRefs } from '../pushes.ts'
import type { Project } from '../records.ts'
import { userById, type World } from '../world.ts'
import { adoptRefs } from './adopt-refs.ts'

/**
 * Starts to fetch; gives the project as it is until then. What a pull moves is announced as a push of `announceAs`;
 * null is an import, whose branches nobody pushed.
 */
export function startFetch(world: World, { id }: Project, { announceAs }: { announceAs: number | null }): Project {
  world.background(`project ${id}`, (later) => fetchNow(later, id, announceAs))
  return world.projects.update(id, { import_status: 'scheduled', import_error: null })
}

async function fetchNow(world: World, id: number, announceAs: number | null): Promise<void> {
  const project = world.projects.get(id)
  if (project === undefined) return
  if (project.import_url === null) {
    world.projects.update(id, { import_status: 'none' })
    return
  }
  world.projects.update(id, { import_status: 'started' })
  const import_error = await fetchMirror(world, id, project.import_url)
  // Branches that did arrive count, also when others did not.
  if (announceAs === null) await adoptRefs(world, id)
  else await announceRefs(world, id, userById(world, announceAs))
  world.projects.update(id, { import_status: import_error === null ? 'finished' : 'failed', import_error })
}
