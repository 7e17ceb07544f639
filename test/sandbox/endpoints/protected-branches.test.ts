// The protected branches of a project: listed, read, added and removed by maintainers.
import { expect } from 'vitest'
import { eachCase, test } from '../sandbox-world.ts'

const base = '/projects/1/protected_branches'
const level = (access_level: number, access_level_description: string, id = 1) => ({
  ...{ id, access_level, access_level_description, user_id: null, group_id: null },
})

test('are protected for maintainers, or for whom the levels say', async ({ withProject: world }) => {
  const master = {
    id: 1,
    name: 'master',
    push_access_levels: [level(40, 'Maintainers')],
    merge_access_levels: [level(40, 'Maintainers')],
    allow_force_push: false,
  }
  expect(await world.post(base, { name: 'master' })).toEqual(master)
  const wild = { name: 'release/*', push_access_level: 0, merge_access_level: 30, allow_force_push: true }
  expect(await world.post(base, wild)).toMatchObject({
    push_access_levels: [level(0, 'No one', 2)],
    merge_access_levels: [level(30, 'Developers + Maintainers', 2)],
    allow_force_push: true,
  })
  expect(await world.list('name', base)).toEqual(['master', 'release/*'])
  expect(await world.list('name', `${base}?search=rel`)).toEqual(['release/*'])
  expect(await world.get(`${base}?search=mas`)).toEqual([master])
  expect(await world.status('DELETE', `${base}/release%2F*`)).toBe(204)
  expect(await world.list('name', base)).toEqual(['master'])
})

test('what cannot be protected is refused', async ({ withProject: world }) => {
  await world.post(base, { name: 'master' })
  await eachCase(
    [
      [{ name: 'master' }, 409],
      [{ name: 'a..b' }, 400],
      [{}, 400],
      [{ name: 'x', push_access_level: 20 }, 400],
    ],
    async ([body, status]) => expect(await world.status('POST', base, body)).toBe(status),
  )
  expect(await world.status('DELETE', `${base}/none`)).toBe(404)
})

test('are for maintainers', async ({ withProject: world }) => {
  const { token } = await world.member('developer', 30)
  for (const method of ['GET', 'POST'])
    expect(await world.status(method, base, method === 'POST' ? { name: 'x' } : undefined, token)).toBe(403)
})
