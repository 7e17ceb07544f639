// Removes a project with its records.
import { rm } from 'node:fs/promises'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { noAutoMerge } from '../merge-requests/status.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { now, repositoryFolder, type State, type World } from '../storage/world.ts'
import { filesFolder } from './files.ts'

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
    const time = now(world)
    const changes = { state: 'closed', ...noAutoMerge, closed_at: time, updated_at: time } as const
    const closed = world.mergeRequests.update(mr.id, changes)
    await sendMergeRequest(world, closed, by, 'close', { changes: { state_id: { previous: 1, current: 2 } } })
  }
}

async function removeFolders(world: World, { id }: Project) {
  for (const folder of [repositoryFolder(world, id), filesFolder(world, id)]) {
    // A git process may still write to the folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const ofNoteables = ['notes', 'awards', 'labelEvents', 'todos'] as const
const ofProjects = [
  ...(['issues', 'pipelines', 'labels', 'milestones', 'wikiPages'] as const),
  ...(['releases', 'deployments', 'tokens', 'pushEvents'] as const),
  ...(['hooks', 'pushRules', 'protectedBranches', 'pipelineScripts', 'shareLinks', 'stars'] as const),
]

/** Synchronous, so that no reader sees a part. Forks stay. */
export function removeRecords(world: State, id: number): void {
  for (const mr of world.mergeRequests.where('project', id)) removeMergeRequest(world, mr)
  for (const issue of world.issues.where('project', id)) removeOfNoteable(world, `Issue:${issue.id}`)
  for (const pipeline of world.pipelines.where('project', id))
    removeAll(world.statuses, world.statuses.where('pipeline', pipeline.id))
  for (const name of ofProjects) removeAll(world[name], world[name].where('project', id))
  removeAll(world.members, world.members.where('source', `project:${id}`))
  for (const fork of world.projects.where('forkedFrom', id)) world.projects.update(fork.id, { forked_from_id: null })
  world.projects.remove(id)
}

export function removeMergeRequest(world: State, { id }: MergeRequest): void {
  removeOfNoteable(world, `MergeRequest:${id}`)
  removeAll(world.diffVersions, world.diffVersions.where('mergeRequest', id))
  for (const key of ['mergeRequest', 'blocking'] as const) removeAll(world.blocks, world.blocks.where(key, id))
  world.mergeRequests.remove(id)
}

/** Removes what belongs to a merge request or an issue: `Issue:3`. */
function removeOfNoteable(world: State, key: string): void {
  for (const name of ofNoteables) removeAll(world[name], world[name].where('noteable', key))
}

export function removeAll(collection: { remove(id: number): void }, records: readonly { readonly id: number }[]) {
  for (const { id } of records) collection.remove(id)
}
