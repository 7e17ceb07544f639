// Branches, commits and files through the API, on the same repository that git sees.
import { describe, expect, test } from 'vitest'
import { openWorld, type World } from '../sandbox-world.ts'

const commits = '/projects/1/repository/commits'
const post = async (world: World, body: Record<string, unknown>) => {
  const answer = await world.call('POST', commits, { branch: 'master', commit_message: 'm', ...body })
  return [answer.status, answer.body.message ?? answer.body.error]
}

describe('commits', () => {
  test('one commit creates, updates and deletes files, as git sees them', async () => {
    const world = await openWorld()
    await world.project()
    await world.write('master', 'old.txt', 'old')
    const commit = await world.done('POST', commits, {
      branch: 'master',
      commit_message: 'All at once\n\nWith a body.',
      author_name: 'Ada',
      author_email: 'ada@example.com',
      actions: [
        { action: 'create', file_path: 'docs/ü and spaces.md', content: 'text' },
        { action: 'create', file_path: 'image.bin', content: Buffer.from([0, 255, 1]).toString('base64'), encoding: 'base64' },
        { action: 'update', file_path: 'README.md', content: 'new\n' },
        { action: 'delete', file_path: 'old.txt' },
      ],
    })
    expect(commit).toMatchObject({ title: 'All at once', author_name: 'Ada', author_email: 'ada@example.com' })
    const clone = await world.clone('root/app')
    expect((await world.git(clone, '-c', 'core.quotePath=false', 'ls-files')).output).toBe('README.md\ndocs/ü and spaces.md\nimage.bin\n')
    expect((await world.git(clone, 'rev-parse', 'HEAD')).output.trim()).toBe(commit.id)
    expect(await world.done('GET', `${commits}/${commit.short_id}`)).toEqual(commit)
  })

  test('start_branch begins a new branch, and refuses one that is there', async () => {
    const world = await openWorld()
    await world.project()
    const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }]
    expect((await post(world, { branch: 'new', start_branch: 'master', actions }))[0]).toBe(201)
    expect(await post(world, { branch: 'new', start_branch: 'master', actions })).toEqual([
      400,
      "A branch called 'new' already exists. Switch to that branch in order to make changes",
    ])
    expect(await post(world, { branch: 'newer', start_branch: 'none', actions })).toEqual([400, 'Cannot find start_branch'])
    expect(await post(world, { branch: 'none', actions })).toEqual([400, 'You can only create or edit files when you are on a branch'])
  })

  test.each([
    [[{ action: 'create', file_path: 'README.md', content: 'x' }], 'A file with this name already exists'],
    [[{ action: 'update', file_path: 'none', content: 'x' }], "A file with this name doesn't exist"],
    [[{ action: 'delete', file_path: 'none' }], "A file with this name doesn't exist"],
    [[{ action: 'update', file_path: 'README.md' }], 'actions[content] is missing'],
    [
      [{ action: 'create', file_path: 'README.md/inner', content: 'x' }],
      'A file cannot take the place of a folder, or a folder that of a file',
    ],
    [[{ action: 'create', file_path: '../out', content: 'x' }], "file_path '../out' is not a path inside the repository"],
    [[{ action: 'create', file_path: '.git/config', content: 'x' }], "file_path '.git/config' is not a path inside the repository"],
    [[{ action: 'create', file_path: '-x', content: 'x' }], "file_path '-x' is not a path inside the repository"],
    [[{ action: 'move', file_path: 'x' }], 'actions[action] does not have a valid value'],
    [[], 'actions is empty'],
  ])('the actions %o are refused, and nothing moves', async (actions, message) => {
    const world = await openWorld()
    await world.project()
    const before = await world.done('GET', '/projects/1/repository/branches/master')
    expect(await post(world, { actions })).toEqual([400, message])
    expect(await world.done('GET', '/projects/1/repository/branches/master')).toEqual(before)
  })

  test('commits to one branch at once all land', async () => {
    const world = await openWorld()
    await world.project()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => post(world, { actions: [{ action: 'create', file_path: `${n}.txt`, content: 'x' }] })),
    )
    expect(answers.map(([status]) => status)).toEqual([201, 201, 201, 201])
    const clone = await world.clone('root/app')
    expect((await world.git(clone, 'rev-list', '--count', 'HEAD')).output.trim()).toBe('5')
  })

  test('a reporter may read but not commit', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.project()
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 20 })
    const body = { branch: 'master', commit_message: 'm', actions: [{ action: 'create', file_path: 'a', content: 'a' }] }
    expect((await world.call('POST', commits, body, ann.token)).status).toBe(403)
    expect((await world.call('GET', `${commits}/master`, undefined, ann.token)).status).toBe(200)
  })

  test.each(['none', '--all', 'master^', 'HEAD~1', 'master:README.md', 'a..b', 'a b'])('the revision %s names no commit', async (sha) => {
    const world = await openWorld()
    await world.project()
    const answer = await world.call('GET', `${commits}/${encodeURIComponent(sha)}`)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }])
  })
})

describe('branches', () => {
  test('are made from any ref, listed, searched and deleted', async () => {
    const world = await openWorld()
    await world.project()
    const base = '/projects/1/repository/branches'
    const made = await world.done('POST', base, { branch: 'feature/one', ref: 'master' })
    expect(made).toMatchObject({ name: 'feature/one', default: false, merged: true })
    await world.done('POST', base, { branch: 'from-sha', ref: made.commit.id })
    const names = async (query = '') => (await world.done('GET', base + query)).map((branch: { name: string }) => branch.name)
    expect(await names()).toEqual(['feature/one', 'from-sha', 'master'])
    expect(await names('?search=feat')).toEqual(['feature/one'])
    expect((await world.call('DELETE', `${base}/feature%2Fone`)).status).toBe(204)
    expect((await world.call('DELETE', `${base}/feature%2Fone`)).body).toEqual({ message: '404 Branch Not Found' })
    expect((await world.call('DELETE', `${base}/master`)).body).toEqual({ message: 'Cannot remove HEAD branch' })
  })

  test.each([
    [{ branch: 'master', ref: 'master' }, 'Branch already exists'],
    [{ branch: '-x', ref: 'master' }, 'Branch name is invalid'],
    [{ branch: 'a..b', ref: 'master' }, 'Branch name is invalid'],
    [{ branch: 'a.lock', ref: 'master' }, 'Branch name is invalid'],
    [{ branch: 'new', ref: 'none' }, 'Invalid reference name: none'],
  ])('%o is refused', async (body, message) => {
    const world = await openWorld()
    await world.project()
    const answer = await world.call('POST', '/projects/1/repository/branches', body)
    expect([answer.status, answer.body.message]).toEqual([400, message])
  })

  test('an empty repository has none', async () => {
    const world = await openWorld()
    await world.done('POST', '/projects', { name: 'app' })
    expect(await world.done('GET', '/projects/1/repository/branches')).toEqual([])
    expect((await world.call('GET', '/projects/1/repository/branches/master')).status).toBe(404)
  })
})

describe('files', () => {
  test('a file comes with its blob and its commits', async () => {
    const world = await openWorld()
    await world.project()
    const first = await world.write('master', 'docs/a.md', 'text ü')
    const second = await world.write('master', 'b.txt', 'b')
    const file = await world.done('GET', '/projects/1/repository/files/docs%2Fa.md?ref=master')
    expect(file).toMatchObject({ file_name: 'a.md', file_path: 'docs/a.md', size: 7, commit_id: second.id, last_commit_id: first.id })
    expect(Buffer.from(file.content, 'base64').toString()).toBe('text ü')
    const clone = await world.clone('root/app')
    expect((await world.git(clone, 'rev-parse', 'HEAD:docs/a.md')).output.trim()).toBe(file.blob_id)
    expect(await world.done('GET', '/projects/1/repository/files/docs%2Fa.md/raw')).toBe('text ü')
  })

  test('bytes come as they are', async () => {
    const world = await openWorld()
    await world.project()
    const bytes = Buffer.from([0, 1, 254, 255, 10, 13])
    const action = { action: 'create', file_path: 'x.bin', content: bytes.toString('base64'), encoding: 'base64' }
    await world.done('POST', commits, { branch: 'master', commit_message: 'm', actions: [action] })
    const response = await fetch(`${world.sandbox.url}/api/v4/projects/1/repository/files/x.bin/raw?ref=master`, {
      headers: { 'PRIVATE-TOKEN': 'root-token' },
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  })

  test.each([
    ['none?ref=master', 404, { message: '404 File Not Found' }],
    ['..%2f..%2fetc%2fpasswd?ref=master', 404, { message: '404 File Not Found' }],
    ['docs?ref=master', 404, { message: '404 File Not Found' }],
    ['README.md?ref=none', 404, { message: '404 Commit Not Found' }],
    ['README.md', 400, { error: 'ref is missing' }],
  ])('%s answers %i', async (path, status, body) => {
    const world = await openWorld()
    await world.project()
    await world.write('master', 'docs/a.md', 'a')
    const answer = await world.call('GET', `/projects/1/repository/files/${path}`)
    expect([answer.status, answer.body]).toEqual([status, body])
  })
})
