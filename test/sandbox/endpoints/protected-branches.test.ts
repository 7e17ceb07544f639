// The protected branches of a project: listed, read, added and removed by maintainers.
import { describe, expect, test } from 'vitest'
import { eachCase, openProject, openWorld } from '../sandbox-world.ts'

const base = '/projects/1/protected_branches'
const level = (access_level: number, access_level_description: string, id = 1) => ({
  ...{ id, access_level, access_level_description, user_id: null, group_id: null },
})

test('are protected for maintainers, or for whom the levels say', async () => {
  const world = await openProject()
  const master = {
    id: 1,
    name: 'master',
    push_access_levels: [level(40, 'Maintainers')],
    merge_access_levels: [level(40, 'Maintainers')],
    unprotect_access_levels: [level(40, 'Maintainers')],
    allow_force_push: false,
    code_owner_approval_required: false,
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

test('what cannot be protected is refused', async () => {
  const world = await openProject()
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
      [{ name: 'x', unprotect_access_level: 0 }, 400],
      [{ name: 'x', allowed_to_unprotect: [{ access_level: 0 }] }, 400],
    ],
    async ([body, status]) => expect(await world.status('POST', base, body)).toBe(status),
  )
  expect(await world.status('DELETE', `${base}/none`)).toBe(404)
})

test('are for maintainers', async () => {
  const world = await openProject()
  const { token } = await world.member('developer', 30)
  for (const method of ['GET', 'POST'])
    expect(await world.status(method, base, method === 'POST' ? { name: 'x' } : undefined, token)).toBe(403)
})

describe('lists of who may', () => {
  test('replace the default, and stand next to a level', async () => {
    const world = await openProject()
    const lists = { allowed_to_push: [{ access_level: 30 }, { access_level: 60 }], allowed_to_merge: [] }
    const made = await world.post(base, { name: 'master', ...lists, allowed_to_unprotect: [{ access_level: 40 }] })
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

  test('name users and groups of the project', async () => {
    const world = await openProject()
    const ada = await world.member('ada', 30)
    const stranger = await world.user('stranger')
    const group = await world.group('Hotel')
    const tell = (entry: unknown) => world.answer('POST', base, { name: 'master', allowed_to_push: [entry] })
    expect(await tell({ user_id: stranger.id })).toEqual([
      422,
      { message: ['Push access levels user is not a member of the project'] },
    ])
    expect(await tell({ group_id: group.id })).toEqual([
      422,
      { message: ['Push access levels group does not have access to the project'] },
    ])
    await world.post('/projects/1/share', { group_id: group.id, group_access: 30 })
    const allowed_to_merge = [{ user_id: ada.id }, { group_id: group.id }]
    const { merge_access_levels } = await world.post(base, { name: 'master', allowed_to_merge })
    const shown = [
      { access_level: null, access_level_description: 'ada', user_id: ada.id, group_id: null },
      { access_level: null, access_level_description: 'Hotel', user_id: null, group_id: group.id },
    ]
    expect(merge_access_levels).toMatchObject(shown)
    await world.call('DELETE', `/groups/${group.id}`)
    await world.idle()
    expect((await world.get(base))[0].merge_access_levels).toMatchObject(shown.slice(0, 1))
  })

  test('name a group that the project is in, but none below it', async () => {
    const world = await openWorld()
    const above = await world.group('Above')
    const group = await world.group('Inside', { parent_id: above.id })
    const below = await world.group('Below', { parent_id: group.id })
    await world.post('/projects', { name: 'app', namespace_id: group.id })
    const ids = [above.id, group.id, below.id]
    const tell = (group_id: number) =>
      world.status('POST', base, { name: `g${group_id}`, allowed_to_push: [{ group_id }] })
    expect([await tell(ids[0]), await tell(ids[1]), await tell(ids[2])]).toEqual([201, 201, 422])
  })

  test('come in queries as in the examples of the documentation', async () => {
    const world = await openProject()
    const ada = await world.member('ada', 30)
    const entry = (id: number) => `allowed_to_push%5B%5D%5Buser_id%5D=${id}`
    const { push_access_levels } = await world.post(`${base}?name=master&${entry(ada.id)}&${entry(1)}`)
    expect(push_access_levels).toMatchObject([{ user_id: ada.id }, { user_id: 1 }])
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
    expect(shown).not.toHaveProperty('unprotect_access_levels')
    expect(shown).not.toHaveProperty('code_owner_approval_required')
  })
})

describe('who may unprotect', () => {
  test('is a level or a list, and others are refused', async () => {
    const world = await openProject()
    const [ada, bob] = [await world.member('ada', 40), await world.member('bob', 40)]
    const dora = await world.member('dora', 30)
    await world.post(base, { name: 'level', unprotect_access_level: 60 })
    const made = await world.post(base, {
      name: 'list',
      allowed_to_unprotect: [{ user_id: ada.id }, { user_id: dora.id }],
    })
    expect(made.unprotect_access_levels).toMatchObject([
      { access_level: null, access_level_description: 'ada', user_id: ada.id, group_id: null },
      { user_id: dora.id },
    ])
    await eachCase(
      [
        ['level', ada.token, 403],
        ['list', bob.token, 403],
        // Whoever is named must be a maintainer too.
        ['list', dora.token, 403],
        ['list', ada.token, 204],
        ['level', undefined, 204],
      ] as const,
      async ([name, token, status]) =>
        expect(await world.status('DELETE', `${base}/${name}`, undefined, token)).toBe(status),
    )
  })

  test('is every maintainer on Free', async () => {
    const world = await openWorld({ tier: 'free' })
    await world.project()
    const { token } = await world.member('ada', 40)
    await world.post(base, { name: 'master', unprotect_access_level: 60 })
    expect(await world.status('DELETE', `${base}/master`, undefined, token)).toBe(204)
  })
})
