// An issue tracker elsewhere is set and removed by maintainers (api-v4.md §2.7).
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

test('a maintainer sets and removes it; removing it twice is no mistake', async () => {
  const world = await openWorld()
  const [ann, ben] = [await world.user('ann'), await world.user('ben')]
  await world.done('POST', '/projects', { name: 'app' })
  await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 40 })
  await world.done('POST', '/projects/1/members', { user_id: ben.id, access_level: 30 })
  const url = 'https://issues.example.com/browse'
  expect(await world.done('PUT', '/projects/1/services/jira', { url }, ann.token)).toEqual({ url })
  expect((await world.call('PUT', '/projects/1/services/jira', { url }, ben.token)).status).toBe(403)
  expect((await world.call('DELETE', '/projects/1/services/jira', undefined, ben.token)).status).toBe(403)
  for (let time = 0; time < 2; time++) {
    expect((await world.call('DELETE', '/projects/1/services/jira', undefined, ann.token)).status).toBe(204)
  }
})

test.each(['javascript:alert(1)', 'nowhere', 'ftp://host/', '', 'x'.repeat(100_000)])(
  '%s is no address of one',
  async (url) => {
    const world = await openWorld()
    await world.done('POST', '/projects', { name: 'app' })
    expect((await world.call('PUT', '/projects/1/services/jira', { url })).status).toBe(400)
  },
)
