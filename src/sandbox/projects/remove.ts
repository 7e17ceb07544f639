// Removes a project with everything that belongs to it (api-v4.md §4.1, §4.3).
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { Project, User } from '../records.ts'
import { now, repositoryFolder, type World } from '../world.ts'

/**
 * Removes the project, its records, its repository and its uploads. Waits for what is being done to the project: the caller may hold the
 * lock of `namespaces`, but not the project's own.
 */
export async function removeProject(world: World, project: Project, by: User): Promise<void> {
  await world.serialise(`project ${project.id}`, async () => {
    if (world.projects.get(project.id) === undefined) return
    await closeMergeRequestsFrom(world, project, by)
    removeRecords(world, project)
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

function removeRecords(world: World, { id }: Project): void {
  const deleted = world.deletedMergeRequests.all().filter((mr) => mr.project_id === id)
  for (const mr of [...world.mergeRequests.where('project', id), ...deleted]) {
    removeAll(world.notes, world.notes.where('noteable', `MergeRequest:${mr.id}`))
    removeAll(world.awards, world.awards.where('mergeRequest', mr.id))
    removeAll(world.todos, world.todos.where('mergeRequest', mr.id))
    removeAll(world.diffVersions, world.diffVersions.where('mergeRequest', mr.id))
  }
  for (const issue of world.issues.where('project', id)) removeAll(world.notes, world.notes.where('noteable', `Issue:${issue.id}`))
  for (const pipeline of world.pipelines.where('project', id)) removeAll(world.statuses, world.statuses.where('pipeline', pipeline.id))
  removeAll(world.mergeRequests, world.mergeRequests.where('project', id))
  removeAll(world.deletedMergeRequests, deleted)
  removeAll(world.issues, world.issues.where('project', id))
  removeAll(world.pipelines, world.pipelines.where('project', id))
  removeAll(world.labels, world.labels.where('project', id))
  removeAll(world.milestones, world.milestones.where('project', id))
  removeAll(world.wikiPages, world.wikiPages.where('project', id))
  removeAll(world.hooks, world.hooks.where('project', id))
  removeAll(world.pushRules, world.pushRules.where('project', id))
  removeAll(world.shareLinks, world.shareLinks.where('project', id))
  removeAll(world.stars, world.stars.where('project', id))
  removeAll(world.members, world.members.where('source', `project:${id}`))
  for (const fork of world.projects.where('forkedFrom', id)) world.projects.update(fork.id, { forked_from_id: null })
  world.projects.remove(id)
}

function removeAll(collection: { remove(id: number): void }, records: readonly { readonly id: number }[]): void {
  for (const { id } of records) collection.remove(id)
}

async function removeFolders(world: World, { id }: Project): Promise<void> {
  for (const folder of [repositoryFolder(world, id), join(world.uploadsFolder, String(id))]) {
    // A git process that is still being served may write while the folder goes.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
