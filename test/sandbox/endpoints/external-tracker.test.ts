// An issue tracker elsewhere is set and removed by maintainers (api-v4.md §2.7).
import { expect, test } from 'vitest'
import { eachCase, openWorld } from '../sandbox-world.ts'

test('a maintainer sets and removes it, also twice', async () => {
  const world = await openWorld()
  const [ann, ben] = await world.people('ann', 'ben')
  await world.post('/projects', { name: 'app' })
  await world.join(ann, 40)
  await world.join(ben, 30)
  const url = 'https://issues.example.com/browse'
  expect(await world.put('/projects/1/services/jira', { url }, ann.token)).toEqual({ url })
  expect(await world.status('PUT', '/projects/1/services/jira', { url }, ben.token)).toBe(403)
  expect(await world.status('DELETE', '/projects/1/services/jira', undefined, ben.token)).toBe(403)
  for (let time = 0; time < 2; time++) {
    expect(await world.status('DELETE', '/projects/1/services/jira', undefined, ann.token)).toBe(204)
  }
})

test('an invalid URL is refused', async () => {
  const world = await openWorld()
  await world.post('/projects', { name: 'app' })
  await eachCase(['javascript:alert(1)', 'nowhere', 'ftp://host/', '', 'x'.repeat(100_000)], async (url) => {
    expect(await world.status('PUT', '/projects/1/services/jira', { url })).toBe(400)
  })
})
