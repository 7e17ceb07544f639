// Reviewers, as newer installations have them.
import { expect } from 'vitest'
import { openMergeRequest, test } from '../sandbox-world.ts'

test('reviewers are replaced as a list, sent in the hook, and removed with 0', async ({ withMergeRequest: world }) => {
  const receiver = await world.receiver({ merge_requests_events: true })
  const ada = await world.member('ada', 30)
  const put = async (reviewer_ids: number[]) => world.put('/projects/1/merge_requests/1', { reviewer_ids })
  const usernames = (mr: { reviewers: { username: string }[] }) => mr.reviewers.map(({ username }) => username)
  expect(usernames(await put([1, ada.id, ada.id]))).toEqual(['root', 'ada'])
  await world.idle()
  expect(receiver.received[0]?.payload).toMatchObject({
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
  const mr = '/projects/1/merge_requests/1'
  const states = async () =>
    (await world.get(`${mr}/reviewers`)).map((each: { user: { username: string }; state: string }) => [
      each.user.username,
      each.state,
    ])
  expect(await states()).toEqual([])
  await world.put(mr, { reviewer_ids: [ada.id] })
  expect(await states()).toEqual([['ada', 'unreviewed']])
  await world.post(`${mr}/approve`, {}, ada.token)
  expect(await states()).toEqual([['ada', 'approved']])
  const found = (name: string) => world.list('iid', `/merge_requests?scope=all&state=opened&reviewer_username=${name}`)
  expect([await found('ADA'), await found('root'), await found('nobody')]).toEqual([[1], [], []])
})
