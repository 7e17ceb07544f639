// Tokens: the caller's own, shown without its text, expired and rotated; those of projects, and the warning before they end.
import { eachCase, openProject, openWorld, test } from '../sandbox-world.ts'
import { createVirtualClock } from '../virtual-clock.ts'

const self = '/personal_access_tokens/self'
const day = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)

test('a token tells its expiry date and not its text; root’s never expires', async ({ world }) => {
  const ann = await world.user('ann')
  const own = await ann.get(self)
  expect(own).toMatchObject({
    ...{ user_id: ann.id, name: 'test', scopes: ['api'] },
    ...{ expires_at: inDays(365), active: true, revoked: false },
  })
  expect(own).not.toHaveProperty('token')
  expect(own).not.toHaveProperty('digest')
  expect(await world.get(self)).toMatchObject({ user_id: 1, expires_at: null })
  expect(await world.nobody.status('GET', self)).toBe(401)
})

test('a rotated token keeps its name, owner and scopes; the old one stops working', async ({ world }) => {
  const ann = await world.user('ann')
  const before = await ann.get(self)
  const rotated = await ann.post(`${self}/rotate`, { expires_at: inDays(30) })
  expect(rotated).toMatchObject({ user_id: ann.id, name: 'test', scopes: ['api'], expires_at: inDays(30) })
  expect(rotated.id).not.toBe(before.id)
  expect(await ann.status('GET', '/user')).toBe(401)
  expect(await ann.status('POST', `${self}/rotate`, {})).toBe(401)
  expect(await world.get('/user', rotated.token)).toMatchObject({ id: ann.id })
  // Without a date it lasts a week.
  expect((await world.post(`${self}/rotate`, {}, rotated.token)).expires_at).toBe(inDays(7))
})

test('of two rotations at once one succeeds', async ({ world }) => {
  const ann = await world.user('ann')
  const both = await Promise.all([1, 2].map(() => ann.status('POST', `${self}/rotate`, {})))
  expect(both.sort()).toEqual([200, 401])
})

test('a token that has expired is refused', async ({ world }) => {
  const ann = await world.user('ann')
  await world.sandbox.within(async ({ tokens }) => {
    const token = tokens.all().find(({ user_id }) => user_id === ann.id)
    tokens.update(Number(token?.id), { expires_at: inDays(0) })
  })
  expect(await ann.answer('GET', '/user')).toEqual([401, { message: '401 Unauthorized' }])
  expect(await ann.status('GET', self)).toBe(401)
})

test('a date is a day of the coming year', async ({ world }) => {
  const ann = await world.user('ann')
  await eachCase(
    [
      ['tomorrow', 'is invalid'],
      [inDays(-1), 'cannot be a date in the past'],
      [inDays(400), `must be before ${inDays(366)}`],
    ] as const,
    async ([expires_at, sentence]) => {
      const refused = [400, { message: { expires_at: [sentence] } }]
      expect(await ann.answer('POST', `${self}/rotate`, { expires_at })).toEqual(refused)
    },
  )
  expect(await ann.status('GET', '/user')).toBe(200)
})

test.each([
  ['read_user', 200, 403],
  ['self_rotate', 200, 200],
  ['read_repository', 403, 403],
])('the scope %s reads it with %i and rotates it with %i', async (scope, read, rotate) => {
  const world = await openWorld()
  const ann = await world.user('ann')
  const { token } = await world.post(`/users/${ann.id}/personal_access_tokens`, { name: 'x', scopes: [scope] })
  expect(await world.status('GET', self, undefined, token)).toBe(read)
  expect(await world.status('POST', `${self}/rotate`, {}, token)).toBe(rotate)
})

const path = '/projects/1/access_tokens'
const given = { name: 'ci', scopes: ['api'] }

test('a maintainer makes a token of a project: it belongs to a bot of the project', async ({ withProject: world }) => {
  const made = await world.post(path, { ...given, access_level: 30 })
  expect(made).toMatchObject({ name: 'ci', access_level: 30, expires_at: inDays(365) })
  const bot = await world.get('/user', made.token)
  expect(bot).toMatchObject({ id: made.user_id, bot: true, is_admin: false })
  expect(bot.username).toMatch(/^project_1_bot_[0-9a-f]+$/)
  expect(await world.get(`/projects/1/members/${bot.id}`)).toMatchObject({ access_level: 30 })
})

test('developers make none of a project, and nobody gives more than they have', async ({ withProject: world }) => {
  const developer = await world.member('dev', 30)
  const maintainer = await world.member('ann', 40)
  expect(await developer.status('POST', path, given)).toBe(403)
  expect(await maintainer.status('POST', path, { ...given, access_level: 50 })).toBe(403)
  expect(await maintainer.status('POST', path, given)).toBe(201)
})

test('a hook with resource_access_token_events is notified once, seven days before', async () => {
  const clock = createVirtualClock(Date.now())
  const world = await openWorld({ clock })
  await world.project()
  const asked = await world.receiver({ resource_access_token_events: true })
  const others = await world.receiver({ push_events: true, merge_requests_events: true })
  const { id, user_id } = await world.post(path, { ...given, expires_at: inDays(20) })
  clock.advance(12 * day)
  expect(await asked.payloads()).toEqual([])
  clock.advance(2 * day)
  await world.idle()
  clock.advance(day)
  await world.idle()
  expect(asked.received.map(({ headers, payload }) => [headers['x-gitlab-event'], payload])).toEqual([
    [
      'Resource Access Token Hook',
      {
        object_kind: 'access_token',
        event_name: 'expiring_access_token',
        interval: 'seven_days',
        project: expect.objectContaining({ id: 1, path_with_namespace: 'root/app' }),
        object_attributes: {
          ...{ id, user_id, name: 'ci', expires_at: inDays(20) },
          created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2} [\d:]{8} UTC$/),
        },
      },
    ],
  ])
  expect(others.received).toEqual([])
})

test('a token of a project that ends within the week is notified at once; so is its rotated successor', async () => {
  const world = await openProject()
  const asked = await world.receiver({ resource_access_token_events: true })
  const { token } = await world.post(path, { ...given, expires_at: inDays(3) })
  await world.idle()
  const rotated = await world.post('/personal_access_tokens/self/rotate', { expires_at: inDays(5) }, token)
  expect((await asked.payloads()).map((payload) => payload.object_attributes.expires_at)).toEqual([
    inDays(3),
    inDays(5),
  ])
  expect(rotated.access_level).toBeUndefined()
})

test('what was rotated meanwhile and tokens of people send nothing', async () => {
  const clock = createVirtualClock(Date.now())
  const world = await openWorld({ clock })
  await world.project()
  const asked = await world.receiver({ resource_access_token_events: true })
  const { token } = await world.post(path, { ...given, expires_at: inDays(20) })
  await world.post('/personal_access_tokens/self/rotate', { expires_at: inDays(300) }, token)
  await world.post('/users/1/personal_access_tokens', { ...given, expires_at: inDays(3) })
  clock.advance(20 * day)
  expect(await asked.payloads()).toEqual([])
})
