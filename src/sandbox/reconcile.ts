// Brings records, repositories and uploads together again when the last process ended between two of them.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { reconsiderWaiting } from './merge-requests/merge-waiting.ts'
import { startFetch } from './projects/fetch.ts'
import { fill } from './projects/fork.ts'
import { announceRefs } from './pushes.ts'
import type { Project } from './records.ts'
import { userById, type World } from './world.ts'
import type { Worlds } from './worlds.ts'

/** Projects looked at side by side; each needs a git process. */
const atOnce = 8
/** Root: who it was that pushed, nobody remembers. */
const root = 1

/** What git took and nobody was told is announced now, by root; forks and imports that were cut off begin again. */
export async function reconcile(worlds: Worlds): Promise<void> {
  const projects = await worlds.forTask(async (world) => {
    await removeStrays(world, world.folder, /^(\d+)\.git$/)
    await removeStrays(world, world.uploadsFolder, /^(\d+)$/)
    return world.projects.all()
  })
  for (let start = 0; start < projects.length; start += atOnce) {
    const some = projects.slice(start, start + atOnce)
    await Promise.all(some.map((project) => worlds.forTask((world) => reconcileProject(world, project))))
  }
}

/** Of a project whose making was not answered, its number will be given to another one; or of one whose removal was cut off. */
async function removeStrays(world: World, folder: string, nameOf: RegExp): Promise<void> {
  for (const name of await readdir(folder)) {
    const id = nameOf.exec(name)?.[1]
    if (id !== undefined && world.projects.get(Number(id)) === undefined) await rm(join(folder, name), { recursive: true })
  }
}

async function reconcileProject(world: World, project: Project): Promise<void> {
  if (project.import_status === 'scheduled' || project.import_status === 'started') beginAgain(world, project)
  else await announceRefs(world, project.id, userById(world, root))
  // What a pipeline's success was about to merge.
  for (const mr of world.mergeRequests.where('project', project.id)) reconsiderWaiting(world, mr)
}

function beginAgain(world: World, project: Project): void {
  const { id, import_url, forked_from_id, known_refs } = project
  if (import_url !== null) {
    const isFirst = Object.keys(known_refs).length === 0
    startFetch(world, project, { announceAs: isFirst ? null : root })
  } else if (forked_from_id !== null) {
    world.background(`project ${id}`, (later) => fill(later, { from: forked_from_id, to: id }))
  } else {
    world.projects.update(id, { import_status: 'failed', import_error: 'The forked project was removed meanwhile' })
  }
}
