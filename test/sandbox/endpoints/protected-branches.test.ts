// The protected branches of a project: listed, read, added and removed by maintainers.
import { eachCase, openWorld, test } from '../sandbox-world.ts'

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
      [{ name: 'x', allowed_to_push: [{ access_level: 20 }] }, 400],
      [{ name: 'x', allowed_to_push: [{ deploy_key_id: 1 }] }, 400],
      [{ name: 'x', allowed_to_merge: [{ access_level: 40, user_id: 1 }] }, 400],
      [{ name: 'x', allowed_to_merge: 'everybody' }, 400],
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

describe('lists of who may', () => {
  test('replace the default, and stand next to a level', async ({ withProject: world }) => {
    const lists = { allowed_to_push: [{ access_level: 30 }, { access_level: 60 }], allowed_to_merge: [] }
    const made = await world.post(base, { name: 'master', ...lists })
    expect(made).toMatchObject({
      push_access_levels: [
        { access_level: 30, access_level_description: 'Developers + Maintainers' },
        { access_level: 60 },
      ],
      merge_access_levels: [level(40, 'Maintainers')],
    })
    const ids = made.push_access_levels.map(({ id }: { id: number }) => id)
    expect(new Set([...ids, made.id]).size).toBe(3)
    const both = { name: 'other', push_access_level: 0, allowed_to_push: [{ access_level: 60 }] }
    expect((await world.post(base, both)).push_access_levels).toMatchObject([{ access_level: 0 }, { access_level: 60 }])
    expect((await world.get(base))[0]).toEqual(made)
  })

  test('are ignored by Free', async () => {
    const world = await openWorld({ tier: 'free' })
    await world.project()
    const lists = { allowed_to_push: [{ access_level: 30 }], allowed_to_merge: [{ user_id: 99 }, { deploy_key_id: 1 }] }
    expect(await world.post(base, { name: 'master', ...lists })).toMatchObject({
      push_access_levels: [{ id: 1, access_level: 40, access_level_description: 'Maintainers' }],
      merge_access_levels: [{ access_level: 40 }],
    })
    const [shown] = await world.get(base)
    expect(shown.push_access_levels[0]).not.toHaveProperty('user_id')
  })
})
