// Removes a project with everything that belongs to it (api-v4.md §4.1, §4.3).
import { rm } from 'node:fs/promises'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { Project, User } from '../records.ts'
import { now, repositoryFolder, type World } from '../world.ts'
import { filesFolder } from './files.ts'
import { removeRecords } from './remove-records.ts'

/**
 * Removes the project, its records, its repository and its uploads. Waits for what is being done to the project: the caller may hold the
 * lock of `namespaces`, but not the project's own.
 */
export async function removeProject(world: World, project: Project, by: User): Promise<void> {
  await world.serialise(`project ${project.id}`, async () => {
    if (world.projects.get(project.id) === undefined) return
    await closeMergeRequestsFrom(world, project, by)
    removeRecords(world, project.id)
    // After the answer: until then the removal may not be written, and a project without its repository would be broken.
    world.background(`project ${project.id}`, () => removeFolders(world, project))
  })
}

/** Merge requests of a fork live in other projects; as real installations close them when the fork goes. */
async function closeMergeRequestsFrom(world: World, project: Project, by: User): Promise<void> {
  const elsewhere = world.mergeRequests.where('source', project.id).filter((mr) => mr.project_id !== project.id)
  for (const mr of elsewhere.filter(({ state }) => state === 'opened')) {
    const closed = world.mergeRequests.update(mr.id, {
      state: 'closed',
      merge_when_pipeline_succeeds: false,
      auto_merge: null,
      updated_at: now(world),
    })
    await sendMergeRequest(world, closed, by, 'close', { changes: { state_id: { previous: 1, current: 2 } } })
  }
}

async function removeFolders(world: World, { id }: Project): Promise<void> {
  for (const folder of [repositoryFolder(world, id), filesFolder(world, id)]) {
    // A git process that is still being served may write while the folder goes.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
