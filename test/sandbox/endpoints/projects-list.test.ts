// Lists of projects: visibility, filters, order, fields.
import { eachCase, openWorld, type World } from '../sandbox-world.ts'

/** Three projects of root: one of each visibility. */
async function three(): Promise<World> {
  const world = await openWorld()
  for (const [name, visibility, path] of [
    ['Alpha', 'private', 'zz'],
    ['beta', 'internal', 'mm'],
    ['Gamma', 'public', 'aa'],
  ]) {
    await world.post('/projects', { name, visibility, path })
  }
  return world
}

test('anonymous callers see public projects, users internal ones too, administrators all', async () => {
  const world = await three()
  const ann = await world.user('ann')
  expect(await world.nobody.list('name', '/projects')).toEqual(['Gamma'])
  expect(await ann.list('name', '/projects')).toEqual(['Gamma', 'beta'])
  expect(await world.list('name', '/projects')).toEqual(['Gamma', 'beta', 'Alpha'])
})

test("a user's projects are those of the own namespace, by id or name, that the caller sees", async () => {
  const world = await three()
  const ann = await world.user('ann')
  await ann.post('/projects', { name: 'mine' })
  expect(await ann.list('name', '/users/1/projects')).toEqual(['Gamma', 'beta'])
  expect(await ann.list('name', '/users/ANN/projects')).toEqual(['mine'])
  expect(await world.nobody.list('name', `/users/${ann.id}/projects`)).toEqual([])
  for (const unknown of ['99', 'nobody', '..%2f1']) {
    expect(await world.body('GET', `/users/${unknown}/projects`)).toEqual({ message: '404 User Not Found' })
  }
})

test('the order follows order_by and sort', async () => {
  const world = await three()
  await eachCase(
    [
      ['', ['Gamma', 'beta', 'Alpha']],
      ['sort=asc', ['Alpha', 'beta', 'Gamma']],
      ['order_by=id&sort=asc', ['Alpha', 'beta', 'Gamma']],
      ['order_by=name', ['Gamma', 'beta', 'Alpha']],
      ['order_by=name&sort=asc', ['Alpha', 'beta', 'Gamma']],
      ['order_by=path', ['Alpha', 'beta', 'Gamma']],
      ['order_by=path&sort=asc', ['Gamma', 'beta', 'Alpha']],
      ['order_by=created_at&sort=asc', ['Alpha', 'beta', 'Gamma']],
    ],
    async ([query, wanted]) => expect(await world.list('name', `/projects?${query}`)).toEqual(wanted),
  )
})

test('by update: what was edited last comes first; by activity: what was pushed to last', async () => {
  const world = await three()
  await world.put('/projects/1', { description: 'edited' })
  expect(await world.list('name', '/projects?order_by=updated_at')).toEqual(['Alpha', 'Gamma', 'beta'])
  await world.writeIn(2, 'master', 'a')
  expect(await world.list('name', '/projects?order_by=last_activity_at')).toEqual(['beta', 'Gamma', 'Alpha'])
  expect(await world.list('name', '/projects?order_by=updated_at')).toEqual(['Alpha', 'Gamma', 'beta'])
})

test('each filter leaves its projects', async () => {
  const world = await three()
  await world.put('/projects/1', { issues_enabled: false })
  await world.put('/projects/3', { merge_requests_enabled: false })
  await world.post('/projects/2/archive')
  await world.post('/projects/3/star')
  await eachCase(
    [
      ['visibility=internal', ['beta']],
      ['search=ALPH', ['Alpha']],
      ['search=zz', []],
      ['search=', ['Gamma', 'beta', 'Alpha']],
      ['search=a&visibility=public', ['Gamma']],
      ['archived=true', ['beta']],
      ['archived=false', ['Gamma', 'Alpha']],
      ['with_issues_enabled=true', ['Gamma', 'beta']],
      ['with_issues_enabled=false', ['Alpha']],
      ['with_merge_requests_enabled=true', ['beta', 'Alpha']],
      ['starred=true', ['Gamma']],
      ['custom_attributes[team]=red', []],
    ],
    async ([query, wanted]) => expect(await world.list('name', `/projects?${query}`)).toEqual(wanted),
  )
})

test('owned are those of which one is owner, membership any level; being an administrator counts for neither', async () => {
  const world = await three()
  const ann = await world.user('ann')
  const team = await world.group('Team', { visibility: 'public' })
  await world.post('/projects', { name: 'of the team', namespace_id: team.id })
  await ann.post('/projects', { name: 'mine' })
  await world.join(ann, 10)
  expect(await ann.list('name', '/projects?owned=true')).toEqual(['mine'])
  expect(await ann.list('name', '/projects?membership=true')).toEqual(['mine', 'Alpha'])
  await world.join(ann, 50, `groups/${team.id}`)
  expect(await ann.list('name', '/projects?owned=true')).toEqual(['mine', 'of the team'])
  expect(await world.list('name', '/projects?owned=true')).toEqual(['of the team', 'Gamma', 'beta', 'Alpha'])
  for (const filter of ['owned', 'membership', 'starred'])
    expect(await world.nobody.list('name', `/projects?${filter}=true`)).toEqual([])
})

test('simple shows id, URL, name and path, also to anonymous callers', async () => {
  const world = await three()
  const simple = { id: 3, web_url: `${world.url}/root/aa`, name: 'Gamma', path: 'aa' }
  expect(await world.get('/projects?simple=true&search=gam')).toEqual([simple])
  expect(await world.nobody.body('GET', '/projects?simple=true')).toEqual([simple])
  expect(await world.get('/users/root/projects?simple=true&visibility=public')).toEqual([simple])
})
