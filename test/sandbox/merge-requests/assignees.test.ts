// Assignees and reviewers: Premium keeps several, Free the first of each without a word.
import { mr, openMergeRequest, test } from '../sandbox-world.ts'

const ids = (users: { id: number }[]) => users.map(({ id }) => id)

test.each([
  ['premium', [2, 3], [3, 2]],
  ['free', [2], [3]],
] as const)('%s keeps of two', async (tier, assigned, reviewing) => {
  const world = await openMergeRequest({ tier })
  for (const name of ['ann', 'bob']) await world.member(name, 30)
  const hooks = await world.receiver({ merge_requests_events: true })
  const { status, body } = await world.call('PUT', mr, { assignee_ids: [2, 3, 2], reviewer_ids: [3, 2] })
  expect([status, ids(body.assignees), ids(body.reviewers), body.assignee.id]).toEqual([200, assigned, reviewing, 2])
  const { object_attributes, assignees, changes } = (await hooks.payloads())[0]
  expect(object_attributes).toMatchObject({ assignee_id: 2, assignee_ids: assigned, reviewer_ids: reviewing })
  expect([ids(assignees), ids(changes.assignees.current)]).toEqual([assigned, assigned])
  const listed = await world.list('iid', '/projects/1/merge_requests?assignee_id=3')
  expect(listed).toEqual(tier === 'premium' ? [1] : [])
})

test('an assignee by assignee_id is the only one, and 0 or an empty list is nobody', async () => {
  const world = await openMergeRequest()
  for (const name of ['ann', 'bob']) await world.member(name, 30)
  const put = async (change: object) => ids((await world.put(mr, change)).assignees)
  expect(await put({ assignee_ids: [2, 3] })).toEqual([2, 3])
  expect(await put({ title: 'Another title' })).toEqual([2, 3])
  expect(await put({ assignee_id: 3 })).toEqual([3])
  expect(await put({ assignee_ids: [0] })).toEqual([])
  expect(await put({ assignee_ids: [2] })).toEqual([2])
  expect(await put({ assignee_ids: [] })).toEqual([])
  expect(await put({ assignee_ids: [999] })).toEqual([])
})

test('a new merge request has assignees and reviewers; assignees are subscribed', async () => {
  const world = await openMergeRequest()
  const ann = await world.member('ann', 30)
  await world.write('other', 'other.txt', 'other')
  const body = { source_branch: 'other', target_branch: 'master', title: 'Other', assignee_ids: [2], reviewer_ids: [1] }
  const made = await world.post('/projects/1/merge_requests', body)
  expect([ids(made.assignees), ids(made.reviewers)]).toEqual([[2], [1]])
  expect((await ann.get('/projects/1/merge_requests/2')).subscribed).toBe(true)
})

test('reviewers are replaced as a list, sent in the hook, and removed with 0', async ({ withMergeRequest: world }) => {
  const receiver = await world.receiver({ merge_requests_events: true })
  const ada = await world.member('ada', 30)
  const put = async (reviewer_ids: number[]) => world.put('/projects/1/merge_requests/1', { reviewer_ids })
  const usernames = (mr: { reviewers: { username: string }[] }) => mr.reviewers.map(({ username }) => username)
  expect(usernames(await put([1, ada.id, ada.id]))).toEqual(['root', 'ada'])
  expect((await receiver.payloads())[0]).toMatchObject({
    reviewers: [{ username: 'root' }, { username: 'ada' }],
    object_attributes: { action: 'update', reviewer_ids: [1, ada.id] },
    changes: { reviewers: { previous: [], current: [{ username: 'root' }, { username: 'ada' }] } },
  })
  const stranger = await world.user('stranger')
  expect(usernames(await put([stranger.id, 99]))).toEqual([])
  await put([1])
  expect(usernames(await put([0]))).toEqual([])
})

test('each reviewer is listed with the state of the review, and merge requests by reviewer', async () => {
  const world = await openMergeRequest()
  const ada = await world.member('ada', 30)
  const states = async () =>
    (await world.get(`${mr}/reviewers`)).map((each: { user: { username: string }; state: string }) => [
      each.user.username,
      each.state,
    ])
  expect(await states()).toEqual([])
  await world.put(mr, { reviewer_ids: [ada.id] })
  expect(await states()).toEqual([['ada', 'unreviewed']])
  await ada.post(`${mr}/approve`, {})
  expect(await states()).toEqual([['ada', 'approved']])
  const found = (name: string) => world.list('iid', `/merge_requests?scope=all&state=opened&reviewer_username=${name}`)
  expect([await found('ADA'), await found('root'), await found('nobody')]).toEqual([[1], [], []])
})
