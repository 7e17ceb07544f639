// Projects: names and paths, visibility, members.
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

describe('name and path', () => {
  test.each([
    [{ name: 'My New App!' }, { name: 'My New App!', path: 'my-new-app' }],
    [{ path: 'some_path' }, { name: 'some_path', path: 'some_path' }],
    [
      { name: 'Name', path: 'other' },
      { name: 'Name', path: 'other' },
    ],
  ])('%o becomes %o', async (given, wanted) => {
    const world = await openWorld()
    const project = await world.post('/projects', given)
    expect(project).toMatchObject({
      ...wanted,
      path_with_namespace: `root/${wanted.path}`,
      namespace: { kind: 'user', path: 'root' },
    })
    expect(project.http_url_to_repo).toBe(`${world.url}/root/${wanted.path}.git`)
  })
})

describe('members', () => {
  test('a developer of a group makes projects in it, a reporter not, and nobody in the namespace of another', async () => {
    const world = await openWorld()
    const [ann, ben] = await world.people('ann', 'ben')
    const team = await world.group('Team')
    await world.join(ann, 30, `groups/${team.id}`)
    await world.join(ben, 20, `groups/${team.id}`)
    const make = async (name: string, namespace_id: number, token: string) =>
      await world.status('POST', '/projects', { name, namespace_id }, token)
    expect([
      await make('a', team.id, ann.token),
      await make('b', team.id, ben.token),
      await make('c', 1, ann.token),
    ]).toEqual([201, 400, 400])
  })
})
