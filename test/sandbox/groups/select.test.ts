// Lists of groups: visibility, filters, order, fields.
import { type Json, openWorld, test } from '../sandbox-world.ts'

/** ann is guest of one group, maintains the subgroup of another, owns a third; two more, one open, are not hers. */
async function openGroups() {
  const world = await openWorld()
  const ann = await world.user('ann')
  const make = (path: string, more: object = {}) => world.post('/groups', { name: `The ${path}`, path, ...more })
  const guest = await make('guest')
  const outer = await make('outer')
  const inner = await make('inner', { parent_id: outer.id })
  const own = await make('own', { visibility: 'internal' })
  const open = await make('open', { visibility: 'public' })
  await make('closed')
  await world.join(ann, 10, `groups/${guest.id}`)
  await world.join(ann, 40, `groups/${inner.id}`)
  await world.join(ann, 50, `groups/${own.id}`)
  const paths = async (query: string, token: string | null = ann.token, at = '/groups') =>
    await world.list('path', `${at}${query}`, token as string)
  return { world, ann, guest, outer, inner, own, open, paths }
}

test('anonymous callers see public groups only', async () => {
  const { paths } = await openGroups()
  for (const query of ['', '?all_available=true', '?all_available=false'])
    expect(await paths(query, null)).toEqual(['open'])
  expect(await paths('?owned=true', null)).toEqual([])
})

test('a user sees the own groups and those above them, and all that may be seen when asking for it', async () => {
  const { paths } = await openGroups()
  expect(await paths('')).toEqual(['guest', 'inner', 'outer', 'own'])
  expect(await paths('?all_available=false')).toEqual(['guest', 'inner', 'outer', 'own'])
  expect(await paths('?all_available=true')).toEqual(['guest', 'inner', 'open', 'outer', 'own'])
})

test('owned groups are those where the user is owner, and an administrator owns no more than that', async () => {
  const { world, paths } = await openGroups()
  expect(await paths('?owned=true')).toEqual(['own'])
  await world.user('ben')
  await world.post('/groups', { name: 'The theirs', path: 'theirs' }, (await world.user('cas')).token)
  expect(await paths('', 'root-token')).toContain('theirs')
  expect(await paths('?owned=true', 'root-token')).not.toContain('theirs')
})

test('a subgroup of a group that is owned is owned too', async () => {
  const { ann, own, paths } = await openGroups()
  await ann.post('/groups', { name: 'Below', path: 'below', parent_id: own.id })
  expect(await paths('?owned=true')).toEqual(['below', 'own'])
})

test('a project member sees the groups above the project', async () => {
  const { world, ann, paths } = await openGroups()
  const closed = await world.get('/groups/closed')
  const project = await world.post('/projects', { name: 'app', namespace_id: closed.id })
  expect(await paths('')).not.toContain('closed')
  await world.join(ann, 10, `projects/${project.id}`)
  expect(await paths('')).toContain('closed')
})

test('groups are skipped by number', async () => {
  const { guest, own, paths } = await openGroups()
  expect(await paths(`?skip_groups[]=${guest.id}&skip_groups[]=${own.id}`)).toEqual(['inner', 'outer'])
  expect(await paths('?skip_groups[]=99')).toHaveLength(4)
})

test('a search is in name or path, and shows four fields', async () => {
  const { world, ann, inner, paths } = await openGroups()
  expect(await paths('?search=the%20o')).toEqual(['outer', 'own'])
  await world.put(`/groups/${inner.id}`, { name: 'Second', description: 'About it' })
  expect(await ann.get('/groups?search=INNER')).toEqual([
    { id: inner.id, name: 'Second', path: 'inner', description: 'About it' },
  ])
  expect(await paths('?search=second')).toEqual(['inner'])
  expect(await paths('?search=nothing')).toEqual([])
})

test('a custom attribute is of none', async () => {
  const { paths } = await openGroups()
  expect(await paths('?custom_attributes[team]=red')).toEqual([])
})

test('the order is by name, rising, unless something else is wanted', async ({ world }) => {
  for (const [name, path] of [
    ['b', 'x'],
    ['A', 'z'],
    ['c', 'y'],
  ])
    await world.post('/groups', { name, path })
  const order = async (query: string) => (await world.list('path', `/groups${query}`)).join('')
  expect(await order('')).toBe('zxy')
  expect(await order('?sort=desc')).toBe('yxz')
  expect(await order('?order_by=path')).toBe('xyz')
  expect(await order('?order_by=path&sort=desc')).toBe('zyx')
})

describe('subgroups', () => {
  test('are the direct ones, with their parent', async () => {
    const { world, outer, inner } = await openGroups()
    await world.group('Deep', { parent_id: inner.id })
    const found = await world.get(`/groups/${outer.id}/subgroups`)
    expect(found.map(({ full_path, parent_id }: Json) => [full_path, parent_id])).toEqual([['outer/inner', outer.id]])
    expect(await world.get('/groups/outer%2Finner%2Fdeep/subgroups')).toEqual([])
  })

  test('take the same filters, and without a token are those that are public', async () => {
    const { world, own, open, paths } = await openGroups()
    for (const [path, visibility] of [
      ['one', 'public'],
      ['two', 'private'],
      ['three', 'public'],
    ]) {
      await world.post('/groups', { name: path, path, visibility, parent_id: open.id })
    }
    const at = `/groups/${open.id}/subgroups`
    expect(await paths('', null, at)).toEqual(['one', 'three'])
    expect(await paths('', undefined, at)).toEqual([])
    expect(await paths('?all_available=true', undefined, at)).toEqual(['one', 'three'])
    expect(await paths('?sort=desc&search=t', 'root-token', at)).toEqual(['two', 'three'])
    expect(await paths('', undefined, `/groups/${own.id}/subgroups`)).toEqual([])
  })

  test('of a group that may not be seen are 404', async () => {
    const { world, ann } = await openGroups()
    expect(await ann.status('GET', '/groups/closed/subgroups')).toBe(404)
    expect(await world.nobody.status('GET', '/groups/outer/subgroups')).toBe(404)
  })
})

test('statistics are measured on disk, of the group’s own projects, for administrators who ask', async ({ world }) => {
  const team = await world.group('Team', { visibility: 'public' })
  const empty = await world.group('Empty', { parent_id: team.id })
  await world.project({ namespace_id: team.id })
  const ann = await world.user('ann')
  const [found] = await world.get(`/groups?statistics=true&skip_groups[]=${empty.id}`)
  const { repository_size } = found.statistics
  expect(repository_size).toBeGreaterThan(100)
  expect(found.statistics).toEqual({
    storage_size: repository_size,
    repository_size,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
  })
  const content = Array.from({ length: 4000 }, (_, line) => String(line ** 3)).join('\n')
  await world.write('master', 'large.txt', content)
  const [grown] = await world.get(`/groups?statistics=1&skip_groups[]=${empty.id}`)
  expect(grown.statistics.repository_size).toBeGreaterThan(repository_size + 1000)
  const [below] = await world.get(`/groups/${team.id}/subgroups?statistics=true`)
  expect(below.statistics.repository_size).toBe(0)
  for (const [query, token] of [
    ['?all_available=true&statistics=true', ann.token],
    ['?statistics=false', 'root-token'],
    ['', 'root-token'],
  ]) {
    const [first] = await world.get(`/groups${query}`, token)
    expect(first).not.toHaveProperty('statistics')
  }
})
