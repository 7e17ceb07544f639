// Hooks of a group and of the installation: for whom, and what they send for which projects.
import { type Json, listen, openWorld, test, type World } from '../sandbox-world.ts'

const url = 'http://127.0.0.1:1/hook'

/** The events that arrive: X-Gitlab-Event and the project's path. */
async function receive() {
  const received: string[] = []
  const address = await listen((headers, payload) => {
    received.push(`${headers['x-gitlab-event']} ${payload.project.path_with_namespace}`)
  })
  return { address, received }
}

async function newProject(world: World, namespace: Json | undefined, name: string): Promise<Json> {
  const project = await world.post('/projects', { name, ...(namespace && { namespace_id: namespace.id }) })
  await world.writeIn(project.id, 'master', 'a')
  return project
}

describe('a group hook', () => {
  test('sends for every project below the group, also for later ones, and next to the project’s own hook', async () => {
    const world = await openWorld()
    const group = await world.group('Team')
    const inner = await world.group('Inner', { parent_id: group.id })
    const other = await world.group('Other')
    const { address, received } = await receive()
    await world.post(`/groups/${group.id}/hooks`, { url: address, push_events: true })
    const own = await newProject(world, group, 'own')
    await world.post(`/projects/${own.id}/hooks`, { url: address })
    await newProject(world, inner, 'deep')
    await newProject(world, other, 'elsewhere')
    await newProject(world, undefined, 'personal')
    await world.post(`/projects/${own.id}/repository/branches`, { branch: 'twice', ref: 'master' })
    await world.idle()
    expect(received.sort()).toEqual([
      'Push Hook team/inner/deep',
      'Push Hook team/own',
      'Push Hook team/own',
      'Push Hook team/own',
    ])
  })

  test('is for owners of the group', async ({ world }) => {
    const group = await world.group('Team')
    const ann = await world.member('ann', 50, `groups/${group.id}`)
    const ben = await world.member('ben', 40, `groups/${group.id}`)
    expect(await ann.status('POST', `/groups/${group.id}/hooks`, { url })).toBe(201)
    expect(await ben.status('POST', `/groups/${group.id}/hooks`, { url })).toBe(403)
    expect(await ben.status('GET', `/groups/${group.id}/hooks`)).toBe(403)
    expect(await world.status('POST', `/groups/${group.id}/hooks`, { url: 'ftp://x' })).toBe(400)
  })
})

describe('a system hook', () => {
  test('sends pushes and merge requests of every project as System Hook, on Free as well', async () => {
    const world = await openWorld({ tier: 'free' })
    const { address, received } = await receive()
    await world.mergeRequest()
    await world.post('/hooks', { url: address, push_events: true, merge_requests_events: true })
    await world.write('feature', 'more.txt', 'more')
    await world.post('/projects/1/merge_requests/1/notes', { body: 'not for system hooks' })
    await world.idle()
    expect(received).toEqual(['System Hook root/app', 'System Hook root/app'])
  })

  test('is for administrators', async ({ world }) => {
    const ann = await world.user('ann')
    expect(await ann.status('POST', '/hooks', { url })).toBe(403)
    expect(await ann.status('GET', '/hooks')).toBe(403)
    expect(await ann.status('DELETE', '/hooks/1')).toBe(403)
    expect(await world.status('DELETE', '/hooks/1')).toBe(404)
  })
})
