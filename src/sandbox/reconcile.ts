// Brings records and repositories together again when the last process died between the two.
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createRepository } from './git/create-repository.ts'
import { announceRefs } from './pushes.ts'
import type { Project } from './records.ts'
import { repositoryFolder, userById, type World } from './world.ts'
import type { Worlds } from './worlds.ts'

/** Projects looked at side by side; each needs a git process. */
const atOnce = 8
/** Root: who it was that pushed, nobody remembers. */
const root = 1

/** What git took and nobody was told is announced now, by root; work in the background that was cut off has failed. */
export async function reconcile(worlds: Worlds): Promise<void> {
  const projects = await worlds.forTask(async (world) => {
    await removeStrays(world)
    return world.projects.all()
  })
  for (let start = 0; start < projects.length; start += atOnce) {
    const some = projects.slice(start, start + atOnce)
    await Promise.all(some.map((project) => worlds.forTask((world) => reconcileProject(world, project))))
  }
}

/** The repository of a project whose making was never answered: the project's number will be given to another one. */
async function removeStrays(world: World): Promise<void> {
  for (const name of await readdir(world.folder)) {
    const id = /^(\d+)\.git$/.exec(name)?.[1]
    if (id !== undefined && world.projects.get(Number(id)) === undefined) await rm(join(world.folder, name), { recursive: true })
  }
}

async function reconcileProject(world: World, project: Project): Promise<void> {
  if (project.import_status === 'scheduled' || project.import_status === 'started') {
    world.projects.update(project.id, { import_status: 'failed', import_error: 'The sandbox was stopped before this was done' })
  }
  // Removing a project was cut off before it was answered: the record is all that is left.
  if (!existsSync(repositoryFolder(world, project.id))) await createRepository(world, project.id, project.default_branch)
  await announceRefs(world, project.id, userById(world, root))
}
