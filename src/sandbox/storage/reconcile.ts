// Repairs what a crash left inconsistent between records, repositories and uploads.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import { fillFork, startFetch } from '../projects/fork.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import type { Project } from '../records/records.ts'
import { userById, type World } from './world.ts'
import type { Worlds } from './worlds.ts'

/** Stands for the unknown pusher. */
const root = 1

/** Announces pushes that git took, and restarts interrupted forks and imports. */
export async function reconcile(worlds: Worlds): Promise<void> {
  const projects = await worlds.forTask(async (world) => {
    await removeStrays(world, world.folder, /^(\d+)\.git$/)
    await removeStrays(world, world.uploadsFolder, /^(\d+)$/)
    return world.projects.all()
  })
  for (const project of projects) await worlds.forTask((world) => reconcileProject(world, project))
}

/** A new project may get the id of one whose creation or removal was interrupted. */
async function removeStrays(world: World, folder: string, nameOf: RegExp) {
  for (const name of await readdir(folder)) {
    const id = nameOf.exec(name)?.[1]
    if (id !== undefined && world.projects.get(Number(id)) === undefined)
      await rm(join(folder, name), { recursive: true })
  }
}

async function reconcileProject(world: World, project: Project) {
  if (project.import_status === 'scheduled' || project.import_status === 'started') restartImport(world, project)
  else await announceRefs(world, project.id, userById(world, root))
  // The process may have ended between a pipeline's success and the merge.
  for (const mr of world.mergeRequests.where('project', project.id)) retryAutoMerge(world, mr)
}

function restartImport(world: World, project: Project) {
  const { id, import_url, forked_from_id, known_refs } = project
  if (import_url !== null) {
    const isFirst = Object.keys(known_refs).length === 0
    startFetch(world, project, { pusher: isFirst ? null : root })
  } else if (forked_from_id !== null) {
    world.background(`project ${id}`, (later) => fillFork(later, { from: forked_from_id, to: id }))
  } else {
    world.projects.update(id, { import_status: 'failed', import_error: 'The forked project was removed meanwhile' })
  }
}
