// Editing, archiving, starring and removing projects, and their pictures.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eachCase, openWorld, test } from '../sandbox-world.ts'
import { pixel, sendForm } from '../send-form.ts'

describe('an edit', () => {
  test('changes what is given and keeps the rest', async ({ world }) => {
    const before = await world.post('/projects', {
      name: 'app',
      description: 'old',
      tag_list: ['a'],
      approvals_before_merge: 1,
    })
    const after = await world.put('/projects/1', {
      name: 'App',
      description: '',
      wiki_enabled: false,
      tag_list: [],
    })
    expect(after).toEqual({
      ...before,
      name: 'App',
      name_with_namespace: 'Administrator / App',
      description: '',
      wiki_enabled: false,
      tag_list: [],
    })
    expect(await world.get('/projects/1')).toEqual(after)
  })

  test('without a name keeps the old one; without anything is refused', async ({ world }) => {
    await world.post('/projects', { name: 'app' })
    expect((await world.put('/projects/1', { description: 'new' })).name).toBe('app')
    for (const nothing of [{}, { unknown: 1 }]) {
      expect((await world.body('PUT', '/projects/1', nothing)).error).toMatch(
        /at least one parameter must be provided$/,
      )
    }
  })

  test('of the path moves the project’s address, for git as well', async ({ withProject: world }) => {
    expect(await world.put('/projects/1', { path: 'moved' })).toMatchObject({
      name: 'app',
      path_with_namespace: 'root/moved',
    })
    const clone = await world.cloneOverHttp('root/moved')
    expect((await world.git(clone, 'log', '--format=%s')).output.trim()).toBe('Begin')
    expect(await world.status('GET', '/projects/root%2Fapp')).toBe(404)
    expect((await world.git(clone, 'fetch', world.remote('root/app', 'root-token'))).code).not.toBe(0)
    await world.post('/projects', { name: 'new', path: 'app' })
  })

  test('may write the same path in other letters, but not take that of another project', async ({ world }) => {
    await world.post('/projects', { name: 'one' })
    await world.post('/projects', { name: 'two' })
    expect((await world.put('/projects/1', { path: 'ONE' })).path).toBe('ONE')
    expect(await world.body('PUT', '/projects/1', { path: 'Two' })).toEqual({
      message: { path: ['has already been taken'] },
    })
    expect(await world.body('PUT', '/projects/1', { name: 'two' })).toEqual({
      message: { name: ['has already been taken'] },
    })
  })

  test('of the default branch needs a branch that is there, and clones follow it', async ({ withProject: world }) => {
    await world.write('feature', 'a.txt', 'a')
    expect((await world.put('/projects/1', { default_branch: 'feature' })).default_branch).toBe('feature')
    const clone = await world.cloneOverHttp('root/app')
    expect((await world.git(clone, 'branch', '--show-current')).output.trim()).toBe('feature')
    expect(await world.answer('PUT', '/projects/1', { default_branch: 'nowhere', description: 'new' })).toEqual([
      400,
      { message: { base: ['Could not set the default branch'] } },
    ])
    expect(await world.get('/projects/1')).toMatchObject({ default_branch: 'feature', description: null })
  })

  test('is for maintainers; the storage for administrators', async ({ world }) => {
    const [ann, ben] = await world.people('ann', 'ben')
    const team = await world.group('Team')
    const { id } = await world.post('/projects', { name: 'app', namespace_id: team.id })
    await world.join(ann, 40, `projects/${id}`)
    await world.join(ben, 30, `projects/${id}`)
    const edit = async (given: object, token: string) => await world.status('PUT', `/projects/${id}`, given, token)
    expect(await edit({ description: 'a' }, ann.token)).toBe(200)
    expect(await edit({ description: 'a' }, ben.token)).toBe(403)
    expect(await edit({ repository_storage: 'fast' }, ann.token)).toBe(403)
    expect((await world.put(`/projects/${id}`, { repository_storage: 'fast' })).repository_storage).toBe('fast')
  })

  test('invalid settings are refused, and nothing changes', async ({ world }) => {
    const before = await world.post('/projects', { name: 'app' })
    await eachCase(
      [
        { name: ' ' },
        { path: '../x' },
        { default_branch: '--x' },
        { approvals_before_merge: 'many' },
        { import_url: 'ssh://host/a' },
        { description: 'x'.repeat(100_000) },
      ],
      async (given) => {
        expect(await world.status('PUT', '/projects/1', { ...given, wiki_enabled: false })).toBe(400)
        expect(await world.get('/projects/1')).toEqual(before)
      },
    )
  })
})

describe('the picture', () => {
  test('comes as multipart with a new project or an edit, and is served at its address', async ({ world }) => {
    const avatar = new File([pixel], 'my logo.png')
    const created = await sendForm(world, 'POST', '/projects', { name: 'app', avatar, visibility: 'public' })
    expect(created).toMatchObject({ status: 201, body: { name: 'app' } })
    const served = await fetch(created.body.avatar_url)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await served.arrayBuffer())).toEqual(pixel)
    const edited = await sendForm(world, 'PUT', '/projects/1', { avatar: new File(['GIF89a'], 'b.gif') })
    expect(await (await fetch(edited.body.avatar_url)).text()).toBe('GIF89a')
    expect(edited.body.avatar_url).toMatch(/\/b\.gif$/)
    expect((await sendForm(world, 'PUT', '/projects/1', { avatar: '' })).body.avatar_url).toBeNull()
  })

  test.each([
    ['a.svg', 10],
    ['png', 10],
    ['a.png', 300_000],
  ])('%s of %i bytes is refused', async (name, bytes) => {
    const world = await openWorld()
    const avatar = new File([Buffer.alloc(bytes)], name)
    const answer = await sendForm(world, 'POST', '/projects', { name: 'app', avatar })
    expect([answer.status, Object.keys(answer.body.message)]).toEqual([400, ['avatar']])
    expect(await world.get('/projects')).toEqual([])
  })
})

test('removing is for owners and administrators, and takes repository and files along', async ({ world }) => {
  const [ann, ben] = await world.people('ann', 'ben')
  await ann.post('/projects', { name: 'app' })
  await sendForm(world, 'POST', '/projects/1/uploads', { file: new File(['a'], 'a.txt') })
  await world.join(ben, 40)
  expect(await ben.status('DELETE', '/projects/1')).toBe(403)
  expect(await ann.answer('DELETE', '/projects/1')).toEqual([202, { message: '202 Accepted' }])
  expect(await world.status('GET', '/projects/1')).toBe(404)
  expect(await world.status('DELETE', '/projects/1')).toBe(404)
  await world.idle()
  expect(await readdir(join(world.folder, 'repositories'))).toEqual([])
  expect(await readdir(join(world.folder, 'uploads'))).toEqual([])
  expect((await ann.post('/projects', { name: 'app' })).id).toBe(2)
})

test('a star counts once for each user; a repeated call is 304', async ({ world }) => {
  const ann = await world.user('ann')
  await world.post('/projects', { name: 'app', visibility: 'internal' })
  expect((await world.post('/projects/1/star')).star_count).toBe(1)
  expect((await ann.post('/projects/1/star')).star_count).toBe(2)
  expect(await world.answer('POST', '/projects/1/star')).toEqual([304, null])
  expect((await world.post('/projects/1/unstar')).star_count).toBe(1)
  expect(await world.answer('POST', '/projects/1/unstar')).toEqual([304, null])
  expect((await world.get('/projects/1')).star_count).toBe(1)
})

test('archiving is for owners and administrators, and may be repeated', async ({ world }) => {
  const [ann, ben] = await world.people('ann', 'ben')
  await ann.post('/projects', { name: 'app', visibility: 'public' })
  await world.join(ben, 40)
  expect(await ben.status('POST', '/projects/1/archive')).toBe(403)
  for (const token of [ann.token, ann.token, 'root-token']) {
    const answer = await world.call('POST', '/projects/1/archive', undefined, token)
    expect([answer.status, answer.body.archived]).toEqual([201, true])
  }
  expect(await ben.status('POST', '/projects/1/unarchive')).toBe(403)
  for (let time = 0; time < 2; time++) expect((await ann.post('/projects/1/unarchive')).archived).toBe(false)
})
