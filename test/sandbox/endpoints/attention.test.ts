// Participants, subscription and todos of a merge request.
import { mr, openMergeRequest, test } from '../sandbox-world.ts'

test('author, assignee, writers of notes and those they mention take part, each once, in pages', async ({ world }) => {
  const [ann, bob, cat] = await world.people('ann', 'bob', 'cat')
  await world.user('dan')
  await world.mergeRequest({
    project: { visibility: 'public' },
    mr: { assignee_id: ann.id, description: 'With @bob, @ANN and @nobody; not with mail@dan or @bob' },
  })
  await cat.post(`${mr}/notes`, { body: 'Thanks, &#x40;ann.' })
  await cat.post(`${mr}/notes`, { body: 'Twice' })
  const names = async (query = '') => await world.list('username', `${mr}/participants${query}`)
  expect(await names()).toEqual(['root', 'ann', 'bob', 'cat'])
  expect(await names('?per_page=2&page=2')).toEqual(['bob', 'cat'])
  expect((await world.get(`${mr}/participants`))[1]).toEqual({
    id: ann.id,
    username: 'ann',
    name: 'ann',
    state: 'active',
    avatar_url: null,
    web_url: `${world.url}/ann`,
  })
  expect(bob.id).not.toBe(cat.id)
})

test('subscribing and unsubscribing a second time is 304 without a body', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const send = async (action: string) => {
    const answer = await ann.call('POST', `${mr}/${action}`)
    return [answer.status, answer.body?.subscribed]
  }
  expect(await send('unsubscribe')).toEqual([304, undefined])
  expect(await send('subscribe')).toEqual([201, true])
  expect(await send('subscribe')).toEqual([304, undefined])
  expect((await ann.get(mr)).subscribed).toBe(true)
  expect((await world.get(mr)).subscribed).toBe(true)
  expect(await send('unsubscribe')).toEqual([201, false])
  expect(await send('unsubscribe')).toEqual([304, undefined])
})

test('a new assignee is subscribed; the same assignee again is not', async ({ world }) => {
  const ann = await world.user('ann')
  await world.mergeRequest({ project: { visibility: 'public' } })
  const subscribed = async () => (await ann.get(mr)).subscribed
  await world.put(mr, { assignee_id: ann.id })
  expect(await subscribed()).toBe(true)
  await ann.post(`${mr}/unsubscribe`)
  await world.put(mr, { assignee_id: ann.id, title: 'Again' })
  expect(await subscribed()).toBe(false)
})

test('a todo is made once for each user, and names the merge request', async ({ world }) => {
  const made = await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const answer = await ann.call('POST', `${mr}/todo`)
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    id: 1,
    project: {
      id: 1,
      name: 'app',
      name_with_namespace: 'Administrator / app',
      path: 'app',
      path_with_namespace: 'root/app',
    },
    author: { id: ann.id, username: 'ann' },
    action_name: 'marked',
    target_type: 'MergeRequest',
    target: { id: made.id, iid: 1, project_id: 1 },
    target_url: made.web_url,
    body: 'Add the feature',
    state: 'pending',
  })
  expect(await ann.answer('POST', `${mr}/todo`)).toEqual([304, null])
  expect((await world.post(`${mr}/todo`)).author.username).toBe('root')
})
