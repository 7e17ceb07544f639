// Stars and archiving.
import { describe, expect } from 'vitest'
import { eachCase, test, type World } from '../sandbox-world.ts'
import { sendForm } from '../send-form.ts'

describe('a star', () => {
  test('counts once for each user; a repeated call is 304', async ({ world }) => {
    const ann = await world.user('ann')
    await world.post('/projects', { name: 'app', visibility: 'internal' })
    expect((await world.post('/projects/1/star')).star_count).toBe(1)
    expect((await world.post('/projects/1/star', undefined, ann.token)).star_count).toBe(2)
    expect(await world.answer('POST', '/projects/1/star')).toEqual([304, null])
    expect((await world.post('/projects/1/unstar')).star_count).toBe(1)
    expect(await world.answer('POST', '/projects/1/unstar')).toEqual([304, null])
    expect((await world.get('/projects/1')).star_count).toBe(1)
  })
})

describe('archiving', () => {
  test('is for owners and administrators, and may be repeated', async ({ world }) => {
    const [ann, ben] = await world.people('ann', 'ben')
    await world.post('/projects', { name: 'app', visibility: 'public' }, ann.token)
    await world.join(ben, 40)
    expect(await world.status('POST', '/projects/1/archive', undefined, ben.token)).toBe(403)
    for (const token of [ann.token, ann.token, 'root-token']) {
      const answer = await world.call('POST', '/projects/1/archive', undefined, token)
      expect([answer.status, answer.body.archived]).toEqual([201, true])
    }
    expect(await world.status('POST', '/projects/1/unarchive', undefined, ben.token)).toBe(403)
    for (let time = 0; time < 2; time++)
      expect((await world.post('/projects/1/unarchive', undefined, ann.token)).archived).toBe(false)
  })

  const writes: [string, (world: World) => Promise<{ status: number }>][] = [
    ['an edit', (world) => world.call('PUT', '/projects/1', { description: 'new' })],
    ['an upload', (world) => sendForm(world, 'POST', '/projects/1/uploads', { file: new File(['a'], 'a') })],
    ['a share', (world) => world.call('POST', '/projects/1/share', { group_id: 2, group_access: 30 })],
    ['the end of a share', (world) => world.call('DELETE', '/projects/1/share/2')],
    ['a pull', (world) => world.call('POST', '/projects/1/mirror/pull')],
  ]
  test('refuses each change with 403 until the project is unarchived', async ({ world }) => {
    await world.group('Team')
    await world.project()
    await world.post('/projects/1/archive')
    await eachCase(writes, async ([, write]) => expect((await write(world)).status).toBe(403))
    await world.post('/projects/1/unarchive')
    await eachCase(writes, async ([, write]) => expect((await write(world)).status).not.toBe(403))
  })
})
