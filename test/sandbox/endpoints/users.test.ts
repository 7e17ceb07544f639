// Users and tokens: made by administrators, each name once.
import { eachCase, test } from '../sandbox-world.ts'

test('other users make neither', async ({ world }) => {
  const ann = await world.user('ann')
  const body = { username: 'ben', name: 'Ben', email: 'ben@example.com' }
  expect(await ann.body('POST', '/users', body)).toEqual({ message: '403 Forbidden' })
  const token = { name: 'mine', scopes: ['api'] }
  expect(await ann.status('POST', `/users/${ann.id}/personal_access_tokens`, token)).toBe(403)
})

test('taken or invalid names and addresses are refused', async ({ world }) => {
  await world.user('ann')
  await eachCase(
    [
      [{ username: 'Ann' }, 409, 'Username has already been taken'],
      [{ email: 'ANN@example.com' }, 409, 'Email has already been taken'],
      [{ email: 'nothing' }, 400, { email: ['is invalid'] }],
      [{ username: 'api' }, 400, { username: ['api is a reserved name'] }],
    ],
    async ([change, status, message]) => {
      const answer = await world.call('POST', '/users', {
        username: 'ben',
        name: 'Ben',
        email: 'ben@example.com',
        ...change,
      })
      expect([answer.status, answer.body.message]).toEqual([status, message])
    },
  )
})

test('a user is found by every signed-in caller; the e-mail is for the user and administrators', async ({ world }) => {
  const [ann, ben] = await world.people('ann', 'ben')
  const found = await ben.get(`/users/${ann.id}`)
  expect(found).toMatchObject({
    id: ann.id,
    username: 'ann',
    state: 'active',
    bot: false,
    web_url: `${world.url}/ann`,
  })
  expect(found).not.toHaveProperty('email')
  expect((await ben.get('/users?username=ANN'))[0]).not.toHaveProperty('email')
  expect((await ann.get('/users?username=ann'))[0].email).toBe('ann@example.com')
  expect((await world.get(`/users/${ann.id}`)).email).toBe('ann@example.com')
  for (const [path, token, wanted] of [
    ['/users/99', ben.token, [404, { message: '404 User Not Found' }]],
    ['/users/ann', ben.token, [400, { error: 'user_id is invalid' }]],
    ['/users/1', null, [401, { message: '401 Unauthorized' }]],
  ] as const) {
    expect(await world.answer('GET', path, undefined, token)).toEqual(wanted)
  }
})

test('lists go from the newest to the oldest, are searched in name and user name, and paged', async ({ world }) => {
  for (const username of ['ann', 'ben', 'anton']) await world.user(username)
  const names = async (query: string) => await world.list('username', `/users${query}`)
  expect(await names('')).toEqual(['anton', 'ben', 'ann', 'root'])
  expect(await names('?search=AN')).toEqual(['anton', 'ann'])
  expect(await names('?search=administrator')).toEqual(['root'])
  expect(await names('?username=an')).toEqual([])
  expect(await names('?username=Anton&search=ben')).toEqual([])
  expect(await names('?per_page=2&page=2')).toEqual(['ann', 'root'])
})

test('the version is the one that deliveries name', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true })
  await world.write('master', 'a.txt', 'a')
  await world.idle()
  const { version } = await world.get('/version')
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(hooks.received[0]?.headers['user-agent']).toBe(`GitLab/${version}`)
})

test('users say themselves whether they are busy, and everybody sees it', async ({ world }) => {
  const [ann, ben] = [await world.user('ann'), await world.user('ben')]
  const none = { emoji: null, message: null, availability: 'not_set', clear_status_at: null }
  expect(await ben.get(`/users/${ann.id}/status`)).toEqual(none)
  await ann.put('/user/status', { availability: 'busy', message: 'On leave' })
  const busy = { emoji: 'speech_balloon', message: 'On leave', availability: 'busy', clear_status_at: null }
  expect(await ben.get(`/users/${ann.id}/status`)).toEqual(busy)
  await ann.put('/user/status', {})
  expect(await ben.get(`/users/${ann.id}/status`)).toEqual(none)
  expect(await world.status('GET', '/users/99/status')).toBe(404)
})
