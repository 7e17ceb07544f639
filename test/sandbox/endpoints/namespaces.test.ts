// Namespaces: who sees which, by id and by path.
import { test } from '../sandbox-world.ts'

test('a namespace is found by id and by path, with its parent', async ({ world }) => {
  const { id } = await world.group('Team')
  const inner = await world.post('/groups', { name: 'Inner', path: 'inner', parent_id: id })
  const shown = { id: inner.id, name: 'Inner', kind: 'group', full_path: 'team/inner', parent_id: id }
  expect(await world.get('/namespaces/team%2Finner')).toMatchObject(shown)
  expect(await world.get(`/namespaces/${inner.id}`)).toMatchObject(shown)
  expect(await world.get('/namespaces/root')).toMatchObject({ kind: 'user', path: 'root', parent_id: null })
})

test('hidden groups and other people are not shown', async ({ world }) => {
  const ann = await world.user('ann')
  await world.group('Hidden')
  await world.group('Open', { visibility: 'public' })
  expect((await ann.get('/namespaces/ann')).kind).toBe('user')
  expect((await ann.get('/namespaces/open')).kind).toBe('group')
  for (const path of ['hidden', 'root', 'none', '99'])
    expect(await ann.answer('GET', `/namespaces/${path}`)).toEqual([404, { message: '404 Namespace Not Found' }])
  expect(await world.nobody.status('GET', '/namespaces/open')).toBe(401)
})
