// Issues that a merge closes.
import { type Caller, type Json, mr, openMergeRequest } from '../sandbox-world.ts'

const iids = async (by: Caller, query = '') =>
  (await by.get(`${mr}/closes_issues${query}`)).map((issue: Json) => `${issue.project_id}#${issue.iid}`)

/** A merge request of a project with some issues. */
async function withIssues(
  count: number,
  settings: { project?: Record<string, unknown>; mr?: Record<string, unknown> } = {},
) {
  const world = await openMergeRequest(settings)
  for (let iid = 1; iid <= count; iid += 1) await world.post('/projects/1/issues', { title: `Issue ${iid}` })
  return world
}

test('title, description and commit messages name them; each is listed once, in pages', async () => {
  const world = await withIssues(5, { mr: { title: 'Fix #4', description: 'Closes #2 and #99, see #1' } })
  await world.post('/projects/1/repository/commits', {
    branch: 'feature',
    commit_message: 'Write more\n\nResolves #3, #2',
    actions: [{ action: 'create', file_path: 'more.txt', content: 'more' }],
  })
  expect(await iids(world)).toEqual(['1#4', '1#2', '1#3'])
  expect(await iids(world, '?per_page=2&page=2')).toEqual(['1#3'])
})

test('an issue is shown with author, labels and the counts of the page', async () => {
  const world = await withIssues(0, { mr: { description: 'Closes #1' } })
  await world.post('/projects/1/issues', { title: 'Broken', description: 'Badly', labels: 'bug' })
  const [issue] = await world.get(`${mr}/closes_issues`)
  expect(issue).toMatchObject({
    iid: 1,
    project_id: 1,
    title: 'Broken',
    description: 'Badly',
    state: 'opened',
    author: { username: 'root' },
    assignee: null,
    milestone: null,
    labels: ['bug'],
    user_notes_count: 0,
    changes_count: '1',
  })
})

test('a merge into another branch than the default one closes nothing', async () => {
  const world = await withIssues(1, { mr: { description: 'Closes #1' } })
  await world.post('/projects/1/repository/branches', { branch: 'release', ref: 'master' })
  await world.put(mr, { target_branch: 'release' })
  expect(await iids(world)).toEqual([])
  await world.put(`${mr}/merge`)
  expect((await world.get('/projects/1/issues/1')).state).toBe('opened')
})

test('issues of other projects are named by path or address, and seen only by those who may see them', async () => {
  const world = await withIssues(0, { project: { visibility: 'public' } })
  const hidden = await world.post('/projects', { name: 'hidden' })
  const open = await world.post('/projects', { name: 'open', visibility: 'public' })
  for (const { id } of [hidden, open]) await world.post(`/projects/${id}/issues`, { title: 'There' })
  await world.put(mr, {
    description: `Closes hidden#1, root/open#1 and ${world.url}/root/open/-/issues/1`,
  })
  expect(await iids(world)).toEqual([`${hidden.id}#1`, `${open.id}#1`])
  const ann = await world.user('ann')
  expect(await iids(ann)).toEqual([`${open.id}#1`])
})

test('a confidential issue is seen only by those who may read it', async () => {
  const world = await withIssues(0, { project: { visibility: 'public' }, mr: { description: 'Closes #1, #2' } })
  await world.post('/projects/1/issues', { title: 'Hidden', confidential: true })
  await world.post('/projects/1/issues', { title: 'Open' })
  const [guest, reporter] = [await world.member('guest', 10), await world.member('reporter', 20)]
  expect(await iids(reporter)).toEqual(['1#1', '1#2'])
  expect(await iids(guest)).toEqual(['1#2'])
  const shown = await world.get(`${mr}/closes_issues`)
  expect(shown.map((issue: Json) => issue.confidential)).toEqual([true, false])
})

test('a merge closes only issues that the merging user may edit', async () => {
  const world = await withIssues(1, { mr: { description: 'Closes #1, root/other#1' } })
  const other = await world.post('/projects', { name: 'other', visibility: 'public' })
  await world.post(`/projects/${other.id}/issues`, { title: 'There' })
  const dev = await world.member('dev', 30)
  await dev.put(`${mr}/merge`)
  expect((await world.get('/projects/1/issues/1')).state).toBe('closed')
  expect((await world.get(`/projects/${other.id}/issues/1`)).state).toBe('opened')
})

test('issues are closed by the merging user after the merge hook; closed ones send no hook', async () => {
  const world = await withIssues(3, { mr: { description: 'Closes #1, #2' } })
  await world.put('/projects/1/issues/2', { state_event: 'close' })
  const hooks = await world.receiver({ issues_events: true, merge_requests_events: true })
  const dev = await world.member('dev', 30)
  await dev.put(`${mr}/merge`)
  await world.idle()
  const states = await world.list('state', '/projects/1/issues?sort=asc')
  expect(states).toEqual(['closed', 'closed', 'opened'])
  expect(await hooks.events()).toEqual(['merge_request merge', 'issue close'])
  expect(hooks.received[1]?.payload).toMatchObject({
    user: { username: 'dev' },
    object_attributes: { iid: 1, state: 'closed' },
  })
  expect(await iids(world)).toEqual(['1#1', '1#2'])
})

test('by a push to the target, issues are closed as well', async () => {
  const world = await withIssues(1, { mr: { description: 'Fixes #1' } })
  const clone = await world.clone('root/app')
  await world.git(clone, 'merge', '--quiet', '--no-edit', 'origin/feature')
  expect((await world.push(clone, 'master')).code).toBe(0)
  expect((await world.get(mr)).state).toBe('merged')
  expect((await world.get('/projects/1/issues/1')).state).toBe('closed')
})
