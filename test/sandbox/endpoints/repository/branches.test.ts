// Branches through the API, on the same repository that git sees.
import { eachCase, openProject, test } from '../../sandbox-world.ts'

test('are made from any ref, listed, searched and deleted', async ({ withProject: world }) => {
  const base = '/projects/1/repository/branches'
  const made = await world.post(base, { branch: 'feature/one', ref: 'master' })
  expect(made).toMatchObject({ name: 'feature/one', default: false, merged: true })
  await world.post(base, { branch: 'from-sha', ref: made.commit.id })
  const names = async (query = '') => await world.list('name', base + query)
  expect(await names()).toEqual(['feature/one', 'from-sha', 'master'])
  expect(await names('?search=feat')).toEqual(['feature/one'])
  expect(await world.status('DELETE', `${base}/feature%2Fone`)).toBe(204)
  expect(await world.body('DELETE', `${base}/feature%2Fone`)).toEqual({ message: '404 Branch Not Found' })
  expect(await world.body('DELETE', `${base}/master`)).toEqual({ message: 'Cannot remove HEAD branch' })
})

test('an invalid or taken name, or an unknown ref, is refused', async ({ withProject: world }) => {
  await eachCase(
    [
      [{ branch: 'master', ref: 'master' }, 'Branch already exists'],
      [{ branch: 'master/x', ref: 'master' }, 'Branch name conflicts with an existing branch'],
      [{ branch: '-x', ref: 'master' }, 'Branch name is invalid'],
      [{ branch: 'a..b', ref: 'master' }, 'Branch name is invalid'],
      [{ branch: 'a.lock', ref: 'master' }, 'Branch name is invalid'],
      [{ branch: 'new', ref: 'none' }, 'Invalid reference name: none'],
    ],
    async ([body, message]) => {
      const answer = await world.call('POST', '/projects/1/repository/branches', body)
      expect([answer.status, answer.body.message]).toEqual([400, message])
    },
  )
})

test('a search matches anywhere, or at the start or the end', async ({ withProject: world }) => {
  for (const branch of ['feature/one', 'old-feature'])
    await world.post('/projects/1/repository/branches', { branch, ref: 'master' })
  await eachCase(
    [
      ['FEAT', ['feature/one', 'old-feature']],
      ['^feat', ['feature/one']],
      ['feature$', ['old-feature']],
      ['^', []],
      ['none', []],
    ],
    async ([search, wanted]) => {
      const found = await world.get(`/projects/1/repository/branches?search=${encodeURIComponent(search)}`)
      expect(found.map((branch: { name: string }) => branch.name)).toEqual(wanted)
    },
  )
})

test('of a public project are for everyone to read, of a private one for those who may read its code', async () => {
  const world = await openProject({ visibility: 'public' })
  expect(await world.nobody.status('GET', '/projects/1/repository/branches')).toBe(200)
  expect(await world.nobody.status('GET', '/projects/1/repository/branches/master')).toBe(200)
  await world.put('/projects/1', { name: 'app', visibility: 'private' })
  expect(await world.nobody.status('GET', '/projects/1/repository/branches')).toBe(404)
})
