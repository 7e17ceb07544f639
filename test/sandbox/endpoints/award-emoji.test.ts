// Reactions to merge requests.
import { mr, openMergeRequest } from '../sandbox-world.ts'

const awards = `${mr}/award_emoji`

test('a reaction is given once by each', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const award = await world.post(awards, { name: 'thumbsup' })
  expect(award).toMatchObject({
    name: 'thumbsup',
    user: { username: 'root' },
    awardable_id: 1,
    awardable_type: 'MergeRequest',
  })
  expect(await world.answer('POST', awards, { name: ':+1:' })).toEqual([
    404,
    { message: '404 Award Emoji Name has already been taken Not Found' },
  ])
  await ann.post(awards, { name: '+1' })
  await ann.post(awards, { name: 'tada' })
  const listed = await world.get(awards)
  expect(
    listed.map(({ name, user }: { name: string; user: { username: string } }) => `${user.username} ${name}`),
  ).toEqual(['root thumbsup', 'ann thumbsup', 'ann tada'])
})

test('only who gave a reaction takes it back', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const award = await world.post(awards, { name: 'tada' })
  expect(await ann.status('DELETE', `${awards}/${award.id}`)).toBe(401)
  expect(await world.status('DELETE', `${awards}/${award.id}`)).toBe(204)
  expect(await world.status('DELETE', `${awards}/${award.id}`)).toBe(404)
})

test('names that no emoji has are refused, and an archived project takes no reaction', async () => {
  const world = await openMergeRequest()
  expect(await world.body('POST', awards, { name: 'no such thing' })).toEqual({
    message: '404 Award Emoji Name is not a valid emoji name Not Found',
  })
  expect(await world.body('POST', awards, {})).toEqual({ error: 'name is missing' })
  await world.post('/projects/1/archive')
  expect(await world.body('POST', awards, { name: 'tada' })).toEqual({ message: '404 Award Emoji Not Found' })
})

test('a hook tells of a reaction and of one that is taken back; the merge request does not show it as a change', async () => {
  const world = await openMergeRequest()
  const ann = await world.member('ann', 30)
  const before = await world.get(mr)
  const hooks = await world.receiver({ emoji_events: true })
  const { id } = await ann.post(awards, { name: 'thumbsup' })
  await world.delete(`${awards}/${id}`)
  await world.idle()
  expect(hooks.received.map(({ headers }) => headers['x-gitlab-event'])).toEqual(['Emoji Hook', 'Emoji Hook'])
  const of = { id, name: 'thumbsup', user_id: ann.id, awardable_type: 'MergeRequest', awardable_id: before.id }
  expect(hooks.received.map(({ payload }) => payload)).toMatchObject([
    { event_type: 'award', user: { username: 'ann' }, object_attributes: { ...of, action: 'award' } },
    { event_type: 'revoke', user: { username: 'root' }, object_attributes: { ...of, action: 'revoke' } },
  ])
  expect(hooks.received[0]?.payload).toMatchObject({
    project: { id: 1 },
    merge_request: { iid: 1, target_project_id: 1 },
  })
  expect((await world.get(mr)).updated_at).toBe(before.updated_at)
})
