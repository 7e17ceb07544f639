// Removes the records of a project (api-v4.md §4.1, §4.3).
import type { State } from '../storage/world.ts'

const ofMergeRequests = ['blocks', 'diffVersions'] as const
const ofNoteables = ['notes', 'awards', 'labelEvents', 'todos'] as const
const ofProjects = [
  ...(['mergeRequests', 'issues', 'pipelines', 'labels', 'milestones', 'wikiPages'] as const),
  ...(['releases', 'deployments', 'tokens'] as const),
  ...(['hooks', 'pushRules', 'protectedBranches', 'pipelineScripts', 'shareLinks', 'stars'] as const),
]

/** Synchronous, so that no reader sees a part. Forks stay. */
export function removeRecords(world: State, id: number): void {
  const deleted = world.deletedMergeRequests.all().filter((mr) => mr.project_id === id)
  for (const mr of [...world.mergeRequests.where('project', id), ...deleted]) {
    removeOfNoteable(world, `MergeRequest:${mr.id}`)
    for (const name of ofMergeRequests) removeAll(world[name], world[name].where('mergeRequest', mr.id))
    removeAll(world.blocks, world.blocks.where('blocking', mr.id))
  }
  for (const issue of world.issues.where('project', id)) removeOfNoteable(world, `Issue:${issue.id}`)
  for (const pipeline of world.pipelines.where('project', id))
    removeAll(world.statuses, world.statuses.where('pipeline', pipeline.id))
  for (const name of ofProjects) removeAll(world[name], world[name].where('project', id))
  removeAll(world.deletedMergeRequests, deleted)
  removeAll(world.members, world.members.where('source', `project:${id}`))
  for (const fork of world.projects.where('forkedFrom', id)) world.projects.update(fork.id, { forked_from_id: null })
  world.projects.remove(id)
}

/** What is of a merge request or an issue: `Issue:3`. */
function removeOfNoteable(world: State, key: string): void {
  for (const name of ofNoteables) removeAll(world[name], world[name].where('noteable', key))
}

function removeAll(collection: { remove(id: number): void }, records: readonly { readonly id: number }[]) {
  for (const { id } of records) collection.remove(id)
}
