// Removes a project (api-v4.md §4.1, §4.3).
import { rm } from 'node:fs/promises'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { Project, User } from '../records/records.ts'
import { now, repositoryFolder, type World } from '../storage/world.ts'
import { filesFolder } from './files.ts'
import { removeRecords } from './remove-records.ts'

/** Waits for the project's lock: the caller may hold that of `namespaces`, but not the project's. */
export async function removeProject(world: World, project: Project, by: User): Promise<void> {
  await world.serialise(`project ${project.id}`, async () => {
    if (world.projects.get(project.id) === undefined) return
    await closeMergeRequestsFrom(world, project, by)
    removeRecords(world, project.id)
    // After the response: before that, the removal may not be written.
    world.background(`project ${project.id}`, () => removeFolders(world, project))
  })
}

/** A fork's merge requests in other projects are closed, as in GitLab. */
async function closeMergeRequestsFrom(world: World, project: Project, by: User) {
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

async function removeFolders(world: World, { id }: Project) {
  for (const folder of [repositoryFolder(world, id), filesFolder(world, id)]) {
    // A git process may still write to the folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
