// Access tokens of projects, and the warning a week before they expire.
import { openProject, openWorld, test } from '../sandbox-world.ts'
import { createVirtualClock } from '../virtual-clock.ts'

const day = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)
const path = '/projects/1/access_tokens'
const given = { name: 'ci', scopes: ['api'] }

test('a maintainer makes one: it belongs to a bot of the project', async ({ withProject: world }) => {
  const made = await world.post(path, { ...given, access_level: 30 })
  expect(made).toMatchObject({ name: 'ci', access_level: 30, expires_at: inDays(365) })
  const bot = await world.get('/user', made.token)
  expect(bot).toMatchObject({ id: made.user_id, bot: true, is_admin: false })
  expect(bot.username).toMatch(/^project_1_bot_[0-9a-f]+$/)
  expect(await world.get(`/projects/1/members/${bot.id}`)).toMatchObject({ access_level: 30 })
})

test('developers make none, and nobody gives more than they have', async ({ withProject: world }) => {
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

test('one that ends within the week is notified at once; so is its rotated successor', async () => {
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
