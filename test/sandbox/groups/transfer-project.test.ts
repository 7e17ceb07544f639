// Moving a project into a group.
import { test } from '../sandbox-world.ts'

test('a project moves with its repository, by number or path of either', async ({ world }) => {
  const team = await world.group('Team')
  const inner = await world.group('Inner', { parent_id: team.id })
  await world.mergeRequest()
  const answer = await world.call('POST', `/groups/${team.id}/projects/root%2Fapp`)
  expect([answer.status, answer.body.id, answer.body.projects.map(({ id }: { id: number }) => id)]).toEqual([
    201,
    team.id,
    [1],
  ])
  await world.post('/groups/team%2Finner/projects/1')
  expect(await world.get('/projects/team%2Finner%2Fapp')).toMatchObject({
    id: 1,
    name_with_namespace: 'Team / Inner / app',
    namespace: { id: inner.id, kind: 'group', full_path: 'team/inner' },
  })
  expect(await world.status('GET', '/projects/root%2Fapp')).toBe(404)
  expect((await world.get('/projects/1/merge_requests/1')).web_url).toContain('/team/inner/app/')
  await world.cloneOverHttp('team/inner/app')
})

test('a path or name that is taken there is refused, and so is the group that it is in', async ({ world }) => {
  const team = await world.group('Team')
  const there = await world.post('/projects', { name: 'First', path: 'app', namespace_id: team.id })
  await world.group('Sub', { parent_id: team.id })
  const move = async (id: number) => {
    const answer = await world.call('POST', `/groups/${team.id}/projects/${id}`)
    return [answer.status, Object.keys(answer.body.message)]
  }
  const make = async (name: string, path: string) => (await world.post('/projects', { name, path })).id
  expect(await move(await make('Second', 'App'))).toEqual([400, ['path']])
  expect(await move(await make('Third', 'SUB'))).toEqual([400, ['path']])
  expect(await move(await make('First', 'third'))).toEqual([400, ['name']])
  expect(await move(there.id)).toEqual([400, ['namespace']])
})

test('only administrators transfer, and only what there is', async ({ world }) => {
  const ann = await world.user('ann')
  const team = await ann.post('/groups', { name: 'Team', path: 'team' })
  const project = await ann.post('/projects', { name: 'app' })
  const move = async (path: string, token?: string) => {
    const answer = await world.call('POST', path, undefined, token)
    return [answer.status, answer.body.message ?? answer.body.error]
  }
  expect(await move(`/groups/${team.id}/projects/${project.id}`, ann.token)).toEqual([403, '403 Forbidden'])
  expect(await move(`/groups/${team.id}/projects/99`)).toEqual([404, '404 Project Not Found'])
  expect(await move(`/groups/99/projects/${project.id}`)).toEqual([404, '404 Group Not Found'])
  expect(await move(`/groups/${team.id}/projects/..%2f..%2fann%2fapp`)).toEqual([404, '404 Project Not Found'])
})
