// Reactions to merge requests: once each, taken back by who gave them.
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const awards = `${mr}/award_emoji`

test('a reaction is given once by each', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const award = await world.done('POST', awards, { name: 'thumbsup' })
  expect(award).toMatchObject({
    name: 'thumbsup',
    user: { username: 'root' },
    awardable_id: 1,
    awardable_type: 'MergeRequest',
  })
  const again = await world.call('POST', awards, { name: ':+1:' })
  expect([again.status, again.body]).toEqual([
    404,
    { message: '404 Award Emoji Name has already been taken Not Found' },
  ])
  await world.done('POST', awards, { name: '+1' }, ann.token)
  await world.done('POST', awards, { name: 'tada' }, ann.token)
  const listed = await world.done('GET', awards)
  expect(
    listed.map(({ name, user }: { name: string; user: { username: string } }) => `${user.username} ${name}`),
  ).toEqual(['root thumbsup', 'ann thumbsup', 'ann tada'])
})

test('thumbs count as votes', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('POST', awards, { name: '-1' })
  expect(await world.done('GET', mr)).toMatchObject({ upvotes: 0, downvotes: 1 })
  await world.done('POST', awards, { name: 'thumbsup' })
  expect(await world.done('GET', mr)).toMatchObject({ upvotes: 1, downvotes: 1 })
})

test('only who gave a reaction takes it back', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const award = await world.done('POST', awards, { name: 'tada' })
  expect((await world.call('DELETE', `${awards}/${award.id}`, undefined, ann.token)).status).toBe(401)
  expect((await world.call('DELETE', `${awards}/${award.id}`)).status).toBe(204)
  expect((await world.call('DELETE', `${awards}/${award.id}`)).status).toBe(404)
})

test('names that no emoji has are refused, and an archived project takes no reaction', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  expect((await world.call('POST', awards, { name: 'no such thing' })).body).toEqual({
    message: '404 Award Emoji Name is not a valid emoji name Not Found',
  })
  expect((await world.call('POST', awards, {})).body).toEqual({ error: 'name is missing' })
  await world.done('POST', '/projects/1/archive')
  expect((await world.call('POST', awards, { name: 'tada' })).body).toEqual({ message: '404 Award Emoji Not Found' })
})
