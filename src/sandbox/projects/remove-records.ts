// Removes the records of a project (api-v4.md §4.1, §4.3).
import type { State } from '../storage/world.ts'

/** Synchronous, so that no reader sees a part. Forks stay. */
export function removeRecords(world: State, id: number): void {
  const deleted = world.deletedMergeRequests.all().filter((mr) => mr.project_id === id)
  for (const mr of [...world.mergeRequests.where('project', id), ...deleted]) {
    removeAll(world.notes, world.notes.where('noteable', `MergeRequest:${mr.id}`))
    removeAll(world.awards, world.awards.where('mergeRequest', mr.id))
    removeAll(world.labelEvents, world.labelEvents.where('mergeRequest', mr.id))
    removeAll(world.todos, world.todos.where('mergeRequest', mr.id))
    removeAll(world.diffVersions, world.diffVersions.where('mergeRequest', mr.id))
  }
  for (const issue of world.issues.where('project', id))
    removeAll(world.notes, world.notes.where('noteable', `Issue:${issue.id}`))
  for (const pipeline of world.pipelines.where('project', id))
    removeAll(world.statuses, world.statuses.where('pipeline', pipeline.id))
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
