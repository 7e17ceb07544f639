// Issues: rights, updates and hooks.
import { openProject, test, type World } from '../sandbox-world.ts'

const issues = '/projects/1/issues'
const issue = `${issues}/1`

async function worldWithIssue(more: Record<string, unknown> = {}): Promise<World> {
  const world = await openProject()
  await world.post(issues, { title: 'It breaks', ...more })
  return world
}

test('a new issue has an iid and all given fields', async ({ withProject: world }) => {
  await world.post('/projects/1/milestones', { title: 'One' })
  const created = await world.post(issues, {
    title: 'It breaks',
    description: 'D',
    labels: 'b, a',
    milestone_id: 1,
    assignee_id: 1,
  })
  expect(created).toMatchObject({
    iid: 1,
    title: 'It breaks',
    description: 'D',
    labels: ['a', 'b'],
    state: 'opened',
    closed_at: null,
    author: { username: 'root' },
    assignee: { username: 'root' },
    milestone: { title: 'One' },
    user_notes_count: 0,
    web_url: `${world.url}/root/app/-/issues/1`,
  })
  expect(await world.get(issue)).toEqual(created)
})

test('a confidential one is for its author, its assignee and reporters', async () => {
  const world = await openProject({ visibility: 'public' })
  const [author, assignee, stranger] = await world.people('author', 'assignee', 'stranger')
  await world.post(issues, { title: 'Hidden', confidential: true, assignee_id: assignee.id })
  await author.post(issues, { title: 'Own', confidential: true })
  const seenBy = async (token: string) => await world.list('iid', issues, token)
  expect(await seenBy(author.token)).toEqual([2])
  expect(await seenBy(assignee.token)).toEqual([1])
  expect(await seenBy(stranger.token)).toEqual([])

  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { title: 'Mine' }],
  ] as const)
    expect(await stranger.status(method, issue, body)).toBe(404)
  await world.put(issue, { confidential: false })
  expect(await seenBy(stranger.token)).toEqual([1])
})

test('guests open issues in a private project, strangers do not see it', async ({ withProject: world }) => {
  const [ann, bob] = await world.people('ann', 'bob')
  await world.join(ann, 10)
  expect(await ann.body('POST', issues, { title: 'A', labels: 'bug' })).toMatchObject({
    labels: ['bug'],
  })
  expect(await bob.status('POST', issues, { title: 'B' })).toBe(404)
  expect(await world.nobody.status('GET', issues)).toBe(404)
})

test('everyone reads issues of a public project; labels of non-members are ignored', async () => {
  const world = await openProject({ visibility: 'public' })
  const ann = await world.user('ann')
  const body = { title: 'A', labels: 'bug', assignee_id: ann.id }
  expect(await ann.body('POST', issues, body)).toMatchObject({ labels: [], assignee: null })
  expect(await world.nobody.body('GET', issues)).toHaveLength(1)
  expect(await world.nobody.body('GET', issue)).toMatchObject({ title: 'A' })
})

test('a title is needed, and a blank one is none', async () => {
  const world = await worldWithIssue()
  expect(await world.body('POST', issues, { description: 'x' })).toEqual({ error: 'title is missing' })
  expect(await world.body('POST', issues, { title: '  ' })).toEqual({ message: { title: ["can't be blank"] } })
  expect(await world.status('PUT', issue, { title: '  ' })).toBe(400)
  expect((await world.body('PUT', issue, {})).error).toContain('at least one parameter must be provided')
})

test('empty values clear labels, assignee and milestone', async ({ withProject: world }) => {
  await world.post('/projects/1/milestones', { title: 'One' })
  const full = { labels: 'a', assignee_id: 1, milestone_id: 1 }
  await world.post(issues, { title: 'A', ...full })
  expect(await world.put(issue, { labels: '', assignee_id: 0, milestone_id: 0 })).toMatchObject({
    labels: [],
    assignee: null,
    milestone: null,
  })
  await world.put(issue, full)
  expect(await world.put(issue, { assignee_id: '', milestone_id: '' })).toMatchObject({
    labels: ['a'],
    assignee: null,
    milestone: null,
  })
})

test('assignees who cannot see the project are ignored, and so are milestones of other projects', async () => {
  const world = await worldWithIssue({ assignee_id: 1 })
  const ann = await world.user('ann')
  await world.post('/projects', { name: 'other' })
  const { id } = await world.post('/projects/2/milestones', { title: 'Elsewhere' })
  expect(await world.put(issue, { assignee_id: ann.id, milestone_id: id })).toMatchObject({
    assignee: { username: 'root' },
    milestone: null,
  })
})

test('closing and reopening move the state and the time of closing', async () => {
  const world = await worldWithIssue()
  const closed = await world.put(issue, { state_event: 'close' })
  expect(closed).toMatchObject({ state: 'closed', closed_at: closed.updated_at, closed_by: { username: 'root' } })
  expect((await world.get('/projects/1')).open_issues_count).toBe(0)
  expect((await world.put(issue, { title: 'T' })).closed_at).toBe(closed.closed_at)
  expect(await world.put(issue, { state_event: 'reopen' })).toMatchObject({
    ...{ state: 'opened', closed_at: null, closed_by: null },
  })
})

test('authors and assignees change and close, reporters sort, other guests do neither', async () => {
  const world = await openProject()
  const [ann, bob, cid] = await world.people('ann', 'bob', 'cid')
  for (const { id } of [ann, bob]) await world.post('/projects/1/members', { user_id: id, access_level: 10 })
  await world.join(cid, 20)
  await ann.post(issues, { title: 'A' })
  expect(await bob.status('PUT', issue, { title: 'B' })).toBe(403)
  expect(await ann.body('PUT', issue, { title: 'B', labels: 'x' })).toMatchObject({
    title: 'B',
    labels: [],
  })
  expect(await cid.body('PUT', issue, { labels: 'x', assignee_id: bob.id })).toMatchObject({
    labels: ['x'],
  })
  expect(await bob.body('PUT', issue, { state_event: 'close' })).toMatchObject({ state: 'closed' })
})

test('where issues are switched off there are none', async () => {
  const world = await worldWithIssue()
  await world.put('/projects/1', { name: 'app', issues_enabled: false })
  expect(await world.body('GET', issues)).toEqual([])
  const statuses = [
    await world.call('GET', issue),
    await world.call('POST', issues, { title: 'A' }),
    await world.call('PUT', issue, { title: 'A' }),
    await world.call('GET', `${issue}/notes`),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([404, 403, 404, 404])
})

describe('the hook', () => {
  test('names the action and has the former values', async ({ withProject: world }) => {
    const hooks = await world.receiver({ issues_events: true })
    await world.post(issues, { title: 'A', labels: 'a' })
    await world.put(issue, { title: 'B', labels: 'a,b', assignee_id: 1 })
    await world.put(issue, { state_event: 'close' })
    await world.put(issue, { state_event: 'reopen' })
    expect(await hooks.events()).toEqual(['issue open', 'issue update', 'issue close', 'issue reopen'])
    expect(hooks.received[0]?.headers['x-gitlab-event']).toBe('Issue Hook')
    expect(hooks.received[1]?.payload).toMatchObject({
      event_type: 'issue',
      user: { username: 'root' },
      project: { path_with_namespace: 'root/app' },
      object_attributes: {
        iid: 1,
        title: 'B',
        state: 'opened',
        url: `${world.url}/root/app/-/issues/1`,
        assignee_ids: [1],
      },
      assignees: [{ username: 'root' }],
      labels: [{ title: 'a' }, { title: 'b' }],
      changes: {
        title: { previous: 'A', current: 'B' },
        labels: { previous: [{ title: 'a' }], current: [{ title: 'a' }, { title: 'b' }] },
        assignees: { previous: [], current: [{ username: 'root' }] },
      },
    })
    expect(hooks.received[2]?.payload.changes).toMatchObject({
      state_id: { previous: 1, current: 2 },
      closed_at: { previous: null, current: expect.stringMatching(/ UTC$/) },
    })
    expect(Object.keys(hooks.received[2]?.payload.changes).sort()).toEqual(['closed_at', 'state_id', 'updated_at'])
  })

  test('an update without a change keeps updated_at and sends no hook', async () => {
    const world = await worldWithIssue({ labels: 'a,b' })
    const before = await world.get(issue)
    const hooks = await world.receiver({ issues_events: true })
    await world.put(issue, { title: 'It breaks', labels: 'b,a', assignee_id: 0, state_event: 'reopen' })
    expect(await hooks.payloads()).toEqual([])
    expect(await world.get(issue)).toEqual(before)
  })
})
