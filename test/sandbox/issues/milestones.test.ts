// Milestones of groups: which projects list and use them.
import { eachCase, openWorld } from '../sandbox-world.ts'

async function openGroups() {
  const world = await openWorld()
  await world.post('/groups', { name: 'Acme', path: 'acme' })
  const { id: inner } = await world.post('/groups', { name: 'Inner', path: 'inner', parent_id: 2 })
  await world.post('/projects', { name: 'app', namespace_id: inner })
  const outer = await world.post('/groups/acme/milestones', { title: '17.0', due_date: '2028-02-29' })
  await world.post(`/groups/${inner}/milestones`, { title: 'inner' })
  await world.post('/projects/1/milestones', { title: 'own' })
  return { world, inner, outer }
}
const ofProject = '/projects/1/milestones'

test('a milestone of a group is shown by its group, and is not the project’s own', async () => {
  const { world, inner, outer } = await openGroups()
  expect(outer).toMatchObject({ iid: 1, group_id: 2, title: '17.0', state: 'active', due_date: '2028-02-29' })
  expect(outer).not.toHaveProperty('project_id')
  expect(await world.get('/groups/2/milestones')).toEqual([outer])
  expect(await world.list('title', ofProject)).toEqual(['own'])
  expect(await world.list('title', `/groups/${inner}/milestones`)).toEqual(['inner'])
  expect(await world.list('title', `/groups/${inner}/milestones?include_ancestors=true`)).toEqual(['inner', '17.0'])
})

test('a project lists them where that is asked for, by either name of the parameter', async () => {
  const { world } = await openGroups()
  const all = ['own', 'inner', '17.0']
  expect(await world.list('title', ofProject)).toEqual(['own'])
  expect(await world.list('title', `${ofProject}?include_ancestors=true`)).toEqual(all)
  expect(await world.list('title', `${ofProject}?include_parent_milestones=true`)).toEqual(all)
  const query = 'include_ancestors=true&include_parent_milestones=true'
  expect(await world.status('GET', `${ofProject}?${query}`)).toBe(400)
})

test('a title is used once in a project and the groups above it, and only reporters write', async () => {
  const { world, inner } = await openGroups()
  const ann = await world.user('ann')
  const places = [ofProject, `/groups/${inner}/milestones`]
  await eachCase(places, async (path) => expect(await world.status('POST', path, { title: '17.0' })).toBe(400))
  expect(await ann.status('POST', '/groups/2/milestones', { title: 'x' })).toBe(404)
})

test('a merge request and an issue take one, and lose it with the group’s other records', async () => {
  const { world, outer } = await openGroups()
  await world.post('/projects/1/issues', { title: 'Broken', milestone_id: outer.id })
  expect((await world.get('/projects/1/issues/1')).milestone).toEqual(outer)
  const { id: other } = await world.post('/groups', { name: 'Other', path: 'other' })
  const foreign = await world.post(`/groups/${other}/milestones`, { title: 'theirs' })
  expect((await world.put('/projects/1/issues/1', { milestone_id: foreign.id })).milestone).toBeNull()
  await world.delete('/groups/other')
  await world.idle()
  expect(await world.status('GET', `/groups/${other}/milestones`)).toBe(404)
})
