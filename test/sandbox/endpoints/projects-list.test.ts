// Lists of projects: who sees what, filters, orders, shapes (api-v4.md §4.3).
import { describe, expect, test } from 'vitest'
import { openWorld, type World } from '../sandbox-world.ts'

async function names(world: World, query: string, token?: string | null): Promise<string[]> {
  const answer = await world.call('GET', query, undefined, token)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.map((project: { name: string }) => project.name)
}

/** Three projects of root: one of each visibility. */
async function three(): Promise<World> {
  const world = await openWorld()
  for (const [name, visibility, path] of [
    ['Alpha', 'private', 'zz'],
    ['beta', 'internal', 'mm'],
    ['Gamma', 'public', 'aa'],
  ]) {
    await world.done('POST', '/projects', { name, visibility, path })
  }
  return world
}

describe('who sees what', () => {
  test('nobody in particular sees what is public, users what is internal too, administrators everything', async () => {
    const world = await three()
    const ann = await world.user('ann')
    expect(await names(world, '/projects', null)).toEqual(['Gamma'])
    expect(await names(world, '/projects', ann.token)).toEqual(['Gamma', 'beta'])
    expect(await names(world, '/projects')).toEqual(['Gamma', 'beta', 'Alpha'])
  })

  test("a user's projects are those of the own namespace, by id or name, that the caller sees", async () => {
    const world = await three()
    const ann = await world.user('ann')
    await world.done('POST', '/projects', { name: 'mine' }, ann.token)
    expect(await names(world, '/users/1/projects', ann.token)).toEqual(['Gamma', 'beta'])
    expect(await names(world, '/users/ANN/projects', ann.token)).toEqual(['mine'])
    expect(await names(world, `/users/${ann.id}/projects`, null)).toEqual([])
    for (const unknown of ['99', 'nobody', '..%2f1']) {
      expect((await world.call('GET', `/users/${unknown}/projects`)).body).toEqual({ message: '404 User Not Found' })
    }
  })
})

describe('order', () => {
  test.each([
    ['', ['Gamma', 'beta', 'Alpha']],
    ['sort=asc', ['Alpha', 'beta', 'Gamma']],
    ['order_by=id&sort=asc', ['Alpha', 'beta', 'Gamma']],
    ['order_by=name', ['Gamma', 'beta', 'Alpha']],
    ['order_by=name&sort=asc', ['Alpha', 'beta', 'Gamma']],
    ['order_by=path', ['Alpha', 'beta', 'Gamma']],
    ['order_by=path&sort=asc', ['Gamma', 'beta', 'Alpha']],
    ['order_by=created_at&sort=asc', ['Alpha', 'beta', 'Gamma']],
  ])('by %j is %j', async (query, wanted) => {
    expect(await names(await three(), `/projects?${query}`)).toEqual(wanted)
  })

  test('by update: what was edited last comes first; by activity: what was pushed to last', async () => {
    const world = await three()
    await world.done('PUT', '/projects/1', { description: 'edited' })
    expect(await names(world, '/projects?order_by=updated_at')).toEqual(['Alpha', 'Gamma', 'beta'])
    await world.done('POST', '/projects/2/repository/commits', {
      branch: 'master',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: 'a', content: 'a' }],
    })
    expect(await names(world, '/projects?order_by=last_activity_at')).toEqual(['beta', 'Gamma', 'Alpha'])
    expect(await names(world, '/projects?order_by=updated_at')).toEqual(['Alpha', 'Gamma', 'beta'])
  })

  test('of what is equal is that of ids', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.done('POST', '/projects', { name: 'same' })
    await world.done('POST', '/projects', { name: 'same' }, ann.token)
    const ids = async (sort: string) =>
      (await world.done('GET', `/projects?order_by=name&sort=${sort}`)).map(({ id }: { id: number }) => id)
    expect([await ids('asc'), await ids('desc')]).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
})

describe('filters', () => {
  test.each([
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
    ['custom_attributes[team]=red', ['Gamma', 'Alpha']],
    ['custom_attributes[team]=red&custom_attributes[tier]=1', ['Gamma']],
    ['custom_attributes[team]=blue', []],
    ['custom_attributes[toString]=x', []],
  ])('%s leaves %j', async (query, wanted) => {
    const world = await three()
    await world.done('PUT', '/projects/1', { issues_enabled: false })
    await world.done('PUT', '/projects/3', { merge_requests_enabled: false })
    await world.done('POST', '/projects/2/archive')
    await world.done('POST', '/projects/3/star')
    await world.done('PUT', '/projects/1/custom_attributes/team', { value: 'red' })
    await world.done('PUT', '/projects/3/custom_attributes/team', { value: 'red' })
    await world.done('PUT', '/projects/3/custom_attributes/tier', { value: '1' })
    expect(await names(world, `/projects?${query}`)).toEqual(wanted)
  })

  test('owned are those of which one is owner, membership any level; being an administrator counts for neither', async () => {
    const world = await three()
    const ann = await world.user('ann')
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team', visibility: 'public' })
    await world.done('POST', '/projects', { name: 'of the team', namespace_id: team.id })
    await world.done('POST', '/projects', { name: 'mine' }, ann.token)
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 10 })
    expect(await names(world, '/projects?owned=true', ann.token)).toEqual(['mine'])
    expect(await names(world, '/projects?membership=true', ann.token)).toEqual(['mine', 'Alpha'])
    await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 50 })
    expect(await names(world, '/projects?owned=true', ann.token)).toEqual(['mine', 'of the team'])
    expect(await names(world, '/projects?owned=true')).toEqual(['of the team', 'Gamma', 'beta', 'Alpha'])
    for (const filter of ['owned', 'membership', 'starred'])
      expect(await names(world, `/projects?${filter}=true`, null)).toEqual([])
  })

  test('stars are those of the caller', async () => {
    const world = await three()
    const ann = await world.user('ann')
    await world.done('POST', '/projects/2/star', undefined, ann.token)
    expect(await names(world, '/projects?starred=true')).toEqual([])
    expect(await names(world, '/projects?starred=true', ann.token)).toEqual(['beta'])
  })

  test('a custom attribute is set by administrators only, again and again', async () => {
    const world = await three()
    const ann = await world.user('ann')
    expect(await world.done('PUT', '/projects/1/custom_attributes/team', { value: 'red' })).toEqual({
      key: 'team',
      value: 'red',
    })
    await world.done('PUT', '/projects/1/custom_attributes/team', { value: 'blue' })
    expect(await names(world, '/projects?custom_attributes[team]=blue')).toEqual(['Alpha'])
    expect(await names(world, '/projects?custom_attributes[team]=red')).toEqual([])
    expect((await world.call('PUT', '/projects/2/custom_attributes/team', { value: 'x' }, ann.token)).status).toBe(403)
    expect((await world.call('PUT', '/projects/2/custom_attributes/team', {})).body).toEqual({
      error: 'value is missing',
    })
  })

  test.each([
    'visibility=secret',
    'order_by=size',
    'sort=up',
    'archived=perhaps',
    'per_page=0',
    'page=-1',
    'custom_attributes=x',
  ])('%s is refused', async (query) => {
    const answer = await (await three()).call('GET', `/projects?${query}`)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error']])
  })
})

describe('shape', () => {
  test('simple shows id, address, name and path alone, to nobody in particular as well', async () => {
    const world = await three()
    const simple = { id: 3, web_url: `${world.sandbox.url}/root/aa`, name: 'Gamma', path: 'aa' }
    expect(await world.done('GET', '/projects?simple=true&search=gam')).toEqual([simple])
    expect((await world.call('GET', '/projects?simple=true', undefined, null)).body).toEqual([simple])
    expect(await world.done('GET', '/users/root/projects?simple=true&visibility=public')).toEqual([simple])
  })

  test('statistics come on request, to those signed in who may read the code', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.project({ visibility: 'internal' })
    const [without] = await world.done('GET', '/projects')
    expect(without).not.toHaveProperty('statistics')
    const [shown] = await world.done('GET', '/projects?statistics=true', undefined, ann.token)
    expect(shown.statistics).toMatchObject({ commit_count: 1, lfs_objects_size: 0, job_artifacts_size: 0 })
    expect(shown.statistics.repository_size).toBeGreaterThan(0)
  })

  test('storage and printing flag are not in lists', async () => {
    const [project] = await (await three()).done('GET', '/projects')
    expect(project).not.toHaveProperty('repository_storage')
    expect(project).not.toHaveProperty('printing_merge_requests_link_enabled')
  })
})

test('pages are cut after filters and order', async () => {
  const world = await openWorld()
  for (let number = 0; number < 5; number++)
    await world.done('POST', '/projects', { name: `${number % 2 === 0 ? 'even' : 'odd'} ${number}` })
  const answer = await world.call('GET', '/projects?search=even&per_page=2&page=2&order_by=name&sort=asc')
  expect(answer.body.map(({ name }: { name: string }) => name)).toEqual(['even 4'])
  expect([answer.headers.get('x-total'), answer.headers.get('x-next-page')]).toEqual(['3', ''])
})
