// Imports and pull mirroring: fetches import_url in the background.
import { rm } from 'node:fs/promises'
import { fetchMirror } from '../git/fetch-mirror.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import type { Project } from '../records/records.ts'
import { repositoryFolder, userById, type World } from '../storage/world.ts'
import { adoptRefs } from './fork.ts'

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
