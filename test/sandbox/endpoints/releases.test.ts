// Releases through the API: what each endpoint refuses, and to whom.
import { eachCase, openProject } from '../sandbox-world.ts'

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

test('an unknown project and an unknown tag are 404', async () => {
  const { world } = await openReleased()
  const body = { tag_name: 'v9', ref: 'master', name: 'Nine' }
  await eachCase(
    [
      ['GET', '/projects/9/releases'],
      ['POST', '/projects/9/releases'],
      ['GET', `${path}/v9`],
      ['PUT', `${path}/v9`],
      ['DELETE', `${path}/v9`],
    ],
    async ([method, of]) =>
      expect(await world.status(method, of, method === 'GET' ? undefined : body), `${method} ${of}`).toBe(404),
  )
})

test('a missing or impossible parameter, and a second release of a tag, are refused with what is wrong', async () => {
  const { world } = await openReleased()
  await eachCase(
    [
      [{ ref: 'master' }, 400, { error: 'tag_name is missing' }],
      [{ tag_name: 'v2' }, 422, { message: 'Ref is not specified' }],
      [{ tag_name: 'v2', ref: 'none' }, 400, { message: 'Target none is invalid' }],
      [{ tag_name: 'v 2', ref: 'master' }, 400, { message: 'Tag name invalid' }],
      [{ tag_name: 'v1/x', ref: 'master' }, 400, { message: 'Tag name conflicts with an existing tag' }],
      [{ tag_name: 'v1' }, 409, { message: 'Release already exists' }],
    ],
    async ([body, status, message]) => expect(await world.answer('POST', path, body)).toEqual([status, message]),
  )
  expect(await world.status('PUT', `${path}/v1`, {})).toBe(400)
  expect(await world.list('tag_name', path)).toEqual(['v1'])
})

// As semantic-release makes it.
test('a release keeps its links', async () => {
  const { world } = await openReleased()
  expect((await world.get(`${path}/v1`)).assets).toEqual({ count: 0, sources: [], links: [] })
  const link = { name: 'build', url: 'https://example.com/build.zip' }
  const assets = { links: [{ ...link, link_type: 'package' }] }
  const made = await world.post(path, { tag_name: 'v2', ref: 'master', assets })
  const shown = { ...link, id: 1, link_type: 'package', direct_asset_url: link.url }
  expect(made.assets).toEqual({ count: 1, sources: [], links: [shown] })
  expect((await world.get(`${path}/v2`)).assets).toEqual(made.assets)
  const odd = { links: [{ name: 'x', url: 'javascript:alert(1)' }] }
  expect(await world.answer('POST', path, { tag_name: 'v3', ref: 'master', assets: odd })).toEqual([
    400,
    { error: 'assets[links][url] is invalid' },
  ])
})
