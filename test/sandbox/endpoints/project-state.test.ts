// Stars and archiving (api-v4.md §3.2, §3.3).
import { describe, expect, test } from 'vitest'
import { openWorld, type World } from '../sandbox-world.ts'
import { sendForm } from '../send-form.ts'

describe('a star', () => {
  test('counts once for each user; what is already so is a 304 with an empty body', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.done('POST', '/projects', { name: 'app', visibility: 'internal' })
    expect((await world.done('POST', '/projects/1/star')).star_count).toBe(1)
    expect((await world.done('POST', '/projects/1/star', undefined, ann.token)).star_count).toBe(2)
    const again = await world.call('POST', '/projects/1/star')
    expect([again.status, again.body]).toEqual([304, null])
    expect((await world.done('POST', '/projects/1/unstar')).star_count).toBe(1)
    const gone = await world.call('POST', '/projects/1/unstar')
    expect([gone.status, gone.body]).toEqual([304, null])
    expect((await world.done('GET', '/projects/1')).star_count).toBe(1)
  })

  test('is for those who see the project, and only they', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.done('POST', '/projects', { name: 'app' })
    expect((await world.call('POST', '/projects/1/star', undefined, ann.token)).status).toBe(404)
    expect((await world.call('POST', '/projects/1/star', undefined, null)).status).toBe(401)
  })
})

describe('archiving', () => {
  test('is for owners and administrators, and may be repeated', async () => {
    const world = await openWorld()
    const [ann, ben] = [await world.user('ann'), await world.user('ben')]
    await world.done('POST', '/projects', { name: 'app', visibility: 'public' }, ann.token)
    await world.done('POST', '/projects/1/members', { user_id: ben.id, access_level: 40 })
    expect((await world.call('POST', '/projects/1/archive', undefined, ben.token)).status).toBe(403)
    for (const token of [ann.token, ann.token, 'root-token']) {
      const answer = await world.call('POST', '/projects/1/archive', undefined, token)
      expect([answer.status, answer.body.archived]).toEqual([201, true])
    }
    expect((await world.call('POST', '/projects/1/unarchive', undefined, ben.token)).status).toBe(403)
    for (let time = 0; time < 2; time++)
      expect((await world.done('POST', '/projects/1/unarchive', undefined, ann.token)).archived).toBe(false)
  })

  const writes: [string, (world: World) => Promise<{ status: number }>][] = [
    ['an edit', (world) => world.call('PUT', '/projects/1', { description: 'new' })],
    ['an upload', (world) => sendForm(world, 'POST', '/projects/1/uploads', { file: new File(['a'], 'a') })],
    ['a share', (world) => world.call('POST', '/projects/1/share', { group_id: 2, group_access: 30 })],
    ['the end of a share', (world) => world.call('DELETE', '/projects/1/share/2')],
    ['a pull', (world) => world.call('POST', '/projects/1/mirror/pull')],
    [
      'another issue tracker',
      (world) => world.call('PUT', '/projects/1/services/jira', { url: 'https://issues.example.com' }),
    ],
    ['the built-in issue tracker', (world) => world.call('DELETE', '/projects/1/services/jira')],
  ]
  test.each(writes)('refuses %s with 403 until the project is unarchived', async (_what, write) => {
    const world = await openWorld()
    await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    await world.project()
    await world.done('POST', '/projects/1/archive')
    expect((await write(world)).status).toBe(403)
    await world.done('POST', '/projects/1/unarchive')
    expect((await write(world)).status).not.toBe(403)
  })

  test('leaves reading, stars, forks, housekeeping and removal as they were', async () => {
    const world = await openWorld()
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    await world.project()
    await world.done('POST', '/projects/1/archive')
    await world.done('GET', '/projects/1')
    await world.done('POST', '/projects/1/star')
    await world.done('POST', '/projects/1/fork', { namespace: team.id })
    await world.done('POST', '/projects/1/housekeeping')
    await world.done('DELETE', '/projects/1')
  })
})
