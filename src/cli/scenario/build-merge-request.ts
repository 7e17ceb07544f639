// Builds one merge request of a scenario: its branch, itself, and what people did to it.
import type { Client } from '../../client/create-client.ts'
import { known, personNamed, type ScenarioPerson } from './people.ts'
import type { ScenarioMergeRequest } from './scenario.ts'

/** The author pushes and opens it; comments, approvals and the pipeline follow, then its state. */
export async function buildMergeRequest(
  root: Client,
  people: ReadonlyMap<string, ScenarioPerson>,
  id: number,
  spec: ScenarioMergeRequest,
): Promise<void> {
  const author = personNamed(people, spec.author).client
  const target = spec.target_branch ?? known((await root.projects.get({ id })).body.default_branch)
  const commit = await pushBranch(author, id, target, spec)
  const made = await author.mergeRequests.create({
    id,
    source_branch: spec.source_branch,
    target_branch: target,
    title: spec.title,
    description: spec.description,
    labels: spec.labels.join(',') || undefined,
    assignee_id: spec.assignee === undefined ? undefined : personNamed(people, spec.assignee).id,
    ...(spec.reviewers.length > 0 && { reviewer_ids: spec.reviewers.map((name) => personNamed(people, name).id) }),
    milestone_id: spec.milestone === undefined ? undefined : await milestoneNamed(root, id, spec.milestone),
    squash: spec.squash,
    remove_source_branch: spec.remove_source_branch,
  })
  const mr = { id, merge_request_iid: known(made.body.iid) }
  for (const { by, text } of spec.comments)
    await personNamed(people, by).client.mergeRequests.notes.create({ ...mr, body: text })
  for (const name of spec.approved_by) await personNamed(people, name).client.mergeRequests.approve(mr)
  if (spec.pipeline !== undefined) {
    await root.repository.statuses.create({
      id,
      sha: commit,
      ref: spec.source_branch,
      state: spec.pipeline,
      name: 'ci',
    })
  }
  if (spec.state === 'closed') await author.mergeRequests.update({ ...mr, state_event: 'close' })
  if (spec.state === 'merged') await root.mergeRequests.accept(mr)
}

async function pushBranch(author: Client, id: number, target: string, spec: ScenarioMergeRequest): Promise<string> {
  const present = await existingFiles(author, id, target, Object.keys(spec.files))
  const actions = Object.entries(spec.files).map(([file_path, content]) => ({
    action: content === null ? ('delete' as const) : present.has(file_path) ? ('update' as const) : ('create' as const),
    file_path,
    content: content ?? undefined,
  }))
  const pushed = await author.repository.commits.create({
    id,
    branch: spec.source_branch,
    start_branch: target,
    commit_message: spec.title,
    actions,
  })
  return known(pushed.body.id)
}

async function existingFiles(author: Client, id: number, ref: string, paths: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  for (const file_path of paths) {
    const found = await author.repository.files.get({ id, file_path, ref }).catch((error: unknown) => {
      if (error instanceof Error && 'status' in error && error.status === 404) return undefined
      throw error
    })
    if (found !== undefined) present.add(file_path)
  }
  return present
}

async function milestoneNamed(root: Client, id: number, title: string): Promise<number> {
  const [found] = (await root.milestones.list({ id, title })).body
  return found?.id ?? known((await root.milestones.create({ id, title })).body.id)
}
