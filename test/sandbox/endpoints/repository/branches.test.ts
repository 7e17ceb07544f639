// Branches through the API, on the same repository that git sees.
import { expect, test } from 'vitest'
import { openWorld } from '../../sandbox-world.ts'

test('are made from any ref, listed, searched and deleted', async () => {
  const world = await openWorld()
  await world.project()
  const base = '/projects/1/repository/branches'
  const made = await world.done('POST', base, { branch: 'feature/one', ref: 'master' })
  expect(made).toMatchObject({ name: 'feature/one', default: false, merged: true })
  await world.done('POST', base, { branch: 'from-sha', ref: made.commit.id })
  const names = async (query = '') =>
    (await world.done('GET', base + query)).map((branch: { name: string }) => branch.name)
  expect(await names()).toEqual(['feature/one', 'from-sha', 'master'])
  expect(await names('?search=feat')).toEqual(['feature/one'])
  expect((await world.call('DELETE', `${base}/feature%2Fone`)).status).toBe(204)
  expect((await world.call('DELETE', `${base}/feature%2Fone`)).body).toEqual({ message: '404 Branch Not Found' })
  expect((await world.call('DELETE', `${base}/master`)).body).toEqual({ message: 'Cannot remove HEAD branch' })
})

test.each([
  [{ branch: 'master', ref: 'master' }, 'Branch already exists'],
  [{ branch: 'master/x', ref: 'master' }, 'Branch name conflicts with an existing branch'],
  [{ branch: '-x', ref: 'master' }, 'Branch name is invalid'],
  [{ branch: 'a..b', ref: 'master' }, 'Branch name is invalid'],
  [{ branch: 'a.lock', ref: 'master' }, 'Branch name is invalid'],
  [{ branch: 'new', ref: 'none' }, 'Invalid reference name: none'],
])('%o is refused', async (body, message) => {
  const world = await openWorld()
  await world.project()
  const answer = await world.call('POST', '/projects/1/repository/branches', body)
  expect([answer.status, answer.body.message]).toEqual([400, message])
})

test('an empty repository has none', async () => {
  const world = await openWorld()
  await world.done('POST', '/projects', { name: 'app' })
  expect(await world.done('GET', '/projects/1/repository/branches')).toEqual([])
  expect((await world.call('GET', '/projects/1/repository/branches/master')).status).toBe(404)
})

test.each([
  ['FEAT', ['feature/one', 'old-feature']],
  ['^feat', ['feature/one']],
  ['feature$', ['old-feature']],
  ['^', []],
  ['none', []],
])('the search for %s finds %o', async (search, wanted) => {
  const world = await openWorld()
  await world.project()
  for (const branch of ['feature/one', 'old-feature'])
    await world.done('POST', '/projects/1/repository/branches', { branch, ref: 'master' })
  const found = await world.done('GET', `/projects/1/repository/branches?search=${encodeURIComponent(search)}`)
  expect(found.map((branch: { name: string }) => branch.name)).toEqual(wanted)
})

test('of a public project are for everyone to read, of a private one for those who may read its code', async () => {
  const world = await openWorld()
  await world.project({ visibility: 'public' })
  expect((await world.call('GET', '/projects/1/repository/branches', undefined, null)).status).toBe(200)
  expect((await world.call('GET', '/projects/1/repository/branches/master', undefined, null)).status).toBe(200)
  expect(
    (await world.call('POST', '/projects/1/repository/branches', { branch: 'a', ref: 'master' }, null)).status,
  ).toBe(401)
  await world.done('PUT', '/projects/1', { name: 'app', visibility: 'private' })
  expect((await world.call('GET', '/projects/1/repository/branches', undefined, null)).status).toBe(404)
})

test('of an archived project can be read, but not made or removed', async () => {
  const world = await openWorld()
  await world.project()
  await world.done('POST', '/projects/1/repository/branches', { branch: 'a', ref: 'master' })
  await world.done('POST', '/projects/1/archive')
  expect((await world.call('GET', '/projects/1/repository/branches')).status).toBe(200)
  const refusals = [
    await world.call('POST', '/projects/1/repository/branches', { branch: 'b', ref: 'master' }),
    await world.call('DELETE', '/projects/1/repository/branches/a'),
  ]
  const reason = '403 Forbidden - The project is archived: it can be read, but not changed'
  expect(refusals.map(({ status, body }) => [status, body.message])).toEqual([
    [403, reason],
    [403, reason],
  ])
})
