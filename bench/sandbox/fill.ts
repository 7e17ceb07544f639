// The worlds that are measured: real branches where git is asked, copies of records where only records are.
import type { MergeRequest } from '../../src/sandbox/records/records.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { nextNumber, projectById, type World } from '../../src/sandbox/storage/world.ts'

/** In every world: project 1 has real merge requests, project 2 very many. */
export const real = 1
export const large = 2
export const largeCount = 10_000
/** Whose merge requests the other projects have: root, who asks, has those of projects 1 and 2. */
const otherAuthor = 2
/** Each other project has some as well. */
const perOther = 10

/** Projects 1 and 2 and the first merge request through the API, all others as copies of its record. */
export async function fill(
  sandbox: Sandbox,
  { mergeable, others }: { mergeable: number; others: number },
): Promise<void> {
  const post = (path: string, body: unknown) => callApi(sandbox, 'POST', path, body)
  await post('/users', { username: 'other', name: 'Other', email: 'other@example.com' })
  await post('/projects', { name: 'real' })
  await post('/projects', { name: 'large' })
  await post(`/projects/${large}/milestones`, { title: 'first' })
  const readme = { action: 'create', file_path: 'README.md', content: 'one\n' }
  await post(`/projects/${real}/repository/commits`, { branch: 'master', commit_message: 'Begin', actions: [readme] })
  for (let made = 1; made <= mergeable; made += 1) {
    const branch = `feature-${made}`
    const actions = [{ action: 'create', file_path: `${branch}.txt`, content: `${made}\n` }]
    await post(`/projects/${real}/repository/commits`, {
      branch,
      start_branch: 'master',
      commit_message: `Add ${branch}`,
      actions,
    })
    const title = `Add ${branch}`
    await post(`/projects/${real}/merge_requests`, {
      source_branch: branch,
      target_branch: 'master',
      title,
      labels: 'dependencies',
    })
  }
  await sandbox.within(async (world) => {
    const model = world.mergeRequests.first('iid', `${real}:1`)
    if (model === undefined) throw new Error('there is no merge request to copy')
    copyMergeRequests(world, model, large, largeCount)
    for (let made = 0; made < others; made += 1)
      copyMergeRequests(world, { ...model, author_id: otherAuthor }, copyProject(world), perOther)
  })
}

function copyProject(world: World): number {
  const id = nextNumber(world, 'projects')
  const model = projectById(world, large)
  const path = `other-${id}`
  world.projects.add({
    ...model,
    id,
    name: path,
    path,
    path_with_namespace: model.path_with_namespace.replace(model.path, path),
  })
  return id
}

const states = ['opened', 'merged', 'closed'] as const

/** Every third is open, every fifth has the label `urgent`, every seventh the milestone. */
function copyMergeRequests(world: World, model: MergeRequest, project: number, count: number): void {
  const milestone = world.milestones.where('project', project)[0]
  const started = Date.parse(model.created_at)
  for (let made = 1; made <= count; made += 1) {
    world.mergeRequests.add({
      ...model,
      id: nextNumber(world, 'merge requests'),
      iid: nextNumber(world, `merge requests of ${project}`),
      project_id: project,
      source_project_id: project,
      title: `Update package ${made} to version ${made % 10}`,
      source_branch: `update-${made}`,
      state: states[made % 3] ?? 'opened',
      labels: made % 5 === 0 ? ['dependencies', 'urgent'] : ['dependencies'],
      milestone_id: made % 7 === 0 && milestone !== undefined ? milestone.id : null,
      created_at: new Date(started + made).toISOString(),
      updated_at: new Date(started + made).toISOString(),
    })
  }
}

async function callApi(sandbox: Sandbox, method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${sandbox.url}/api/v4${path}`, {
    method,
    headers: { 'PRIVATE-TOKEN': sandbox.token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
}
