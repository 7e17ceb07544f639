// Releases through the API: what each endpoint refuses, and to whom.
import { expect, test } from 'vitest'
import { openProject } from '../sandbox-world.ts'

const path = '/projects/1/releases'

async function openReleased() {
  const world = await openProject()
  const release = await world.post(path, { tag_name: 'v1', ref: 'master', description: 'One' })
  return { world, release }
}

test('a release is made for a tag or makes it, is changed, and is deleted without its tag', async () => {
  const { world, release } = await openReleased()
  expect(release).toMatchObject({ tag_name: 'v1', name: 'v1', description: 'One', author: { username: 'root' } })
  await world.post('/projects/1/repository/tags', { tag_name: 'v2', ref: 'master' })
  await world.post(path, { tag_name: 'v2', name: 'Two' })
  expect(await world.list('tag_name', path)).toEqual(['v2', 'v1'])
  expect(await world.put(`${path}/v1`, { name: 'First' })).toEqual({ ...release, name: 'First' })
  expect((await world.delete(`${path}/v1`)).name).toBe('First')
  expect(await world.status('GET', `${path}/v1`)).toBe(404)
  expect(await world.status('GET', '/projects/1/repository/tags/v1')).toBe(200)
})
