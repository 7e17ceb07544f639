// What an issue shows, and what of it each tier and each role can set.
import { type Json, openWorld, type World } from '../sandbox-world.ts'

const issues = '/projects/1/issues'
const issue = `${issues}/1`
const ids = (users: { id: number }[]) => users.map(({ id }) => id)

async function withIssue(more: Record<string, unknown> = {}, tier: 'free' | 'premium' = 'premium'): Promise<World> {
  const world = await openWorld({ tier })
  await world.project({ visibility: 'public' })
  await world.post(issues, { title: 'It breaks', ...more })
  return world
}

test('a new issue shows all fields of the service', async () => {
  const world = await withIssue()
  const { subscribed, ...shown } = await world.get(issue)
  expect(shown).toMatchObject({
    ...{ closed_by: null, assignees: [], upvotes: 0, downvotes: 0, merge_requests_count: 0, due_date: null },
    ...{ confidential: false, discussion_locked: null, issue_type: 'issue', type: 'ISSUE', weight: null },
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    references: { short: '#1', relative: '#1', full: 'root/app#1' },
  })
  expect(subscribed).toBe(true)
  expect(await world.get(issues)).toEqual([shown])
  expect(await world.nobody.get(issue)).toEqual({ ...shown, subscribed: false })
})

test.each([
  ['premium', [2, 3], 5],
  ['free', [2], undefined],
] as const)('%s keeps of two assignees and a weight', async (tier, assigned, weight) => {
  const world = await withIssue({}, tier)
  for (const name of ['ann', 'bob']) await world.member(name, 10)
  const hooks = await world.receiver({ issues_events: true })
  const { status, body } = await world.call('PUT', issue, { assignee_ids: [2, 3, 2], weight: 5 })
  expect([status, ids(body.assignees), body.assignee.id, body.weight]).toEqual([200, assigned, 2, weight])
  const { object_attributes, assignees, changes } = (await hooks.payloads())[0]
  expect([object_attributes.assignee_ids, object_attributes.weight]).toEqual([assigned, weight])
  expect([ids(assignees), ids(changes.assignees.current)]).toEqual([assigned, assigned])
  expect(changes.weight).toEqual(weight === undefined ? undefined : { previous: null, current: weight })
  expect(await world.list('iid', `${issues}?assignee_id=3`)).toEqual(tier === 'premium' ? [1] : [])
})

test('labels are added and removed by themselves, and each change is in the history', async () => {
  const world = await withIssue({ labels: 'a,b' })
  const before = await world.get(issue)
  const after = await world.put(issue, { add_labels: 'c, a', remove_labels: 'b' })
  expect(after.labels).toEqual(['a', 'c'])
  expect(after.updated_at > before.updated_at).toBe(true)
  await world.put(issue, { labels: '' })
  const events = await world.get(`${issue}/resource_label_events`)
  expect(events.map(({ action, label }: Json) => `${action} ${label.name}`)).toEqual([
    ...['add a', 'add b', 'add c', 'remove b', 'remove a', 'remove c'],
  ])
  expect(events[0]).toMatchObject({ resource_type: 'Issue', resource_id: 1, user: { username: 'root' } })
})

test('dates, weight, lock and confidentiality are set and cleared; the hook has both values', async () => {
  const world = await withIssue()
  const hooks = await world.receiver({ issues_events: true })
  const full = { due_date: '2099-12-31', weight: 3, discussion_locked: true }
  expect(await world.put(issue, full)).toMatchObject(full)
  expect(await world.put(issue, { due_date: '', weight: '', discussion_locked: false })).toMatchObject({
    ...{ due_date: null, weight: null, discussion_locked: false },
  })
  expect((await hooks.payloads())[0].changes).toMatchObject({
    due_date: { previous: null, current: '2099-12-31' },
    weight: { previous: null, current: 3 },
    discussion_locked: { previous: false, current: true },
  })
  expect(hooks.received[0]?.payload.object_attributes).toMatchObject(full)
  expect(await world.answer('PUT', issue, { due_date: '2099-02-31' })).toEqual([
    400,
    { message: { due_date: ['is invalid'] } },
  ])
})

test('planners sort, authors below them change title, text and state alone', async () => {
  const world = await withIssue()
  const planner = await world.member('pat', 15)
  const author = await world.member('ann', 10)
  await author.body('POST', issues, { title: 'Own' })
  const sorted = { labels: 'x', due_date: '2099-12-31', weight: 1, discussion_locked: true, confidential: true }
  expect(await author.body('PUT', `${issues}/2`, { title: 'New', ...sorted })).toMatchObject({
    ...{ title: 'New', labels: [], due_date: null, weight: null, discussion_locked: null, confidential: false },
  })
  expect(await planner.body('PUT', `${issues}/2`, sorted)).toMatchObject({
    ...{ ...sorted, labels: ['x'] },
  })
})
