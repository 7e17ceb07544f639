// Commits through the API, on the same repository that git sees.
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eachCase, mr, openMergeRequest, openProject, test, type World } from '../../sandbox-world.ts'

const commits = '/projects/1/repository/commits'
const post = async (world: World, body: Record<string, unknown>) => {
  const answer = await world.call('POST', commits, { branch: 'master', commit_message: 'm', ...body })
  return [answer.status, answer.body.message ?? answer.body.error]
}

test('one commit creates, updates and deletes files, as git sees them', async ({ withProject: world }) => {
  await world.write('master', 'old.txt', 'old')
  const commit = await world.post(commits, {
    branch: 'master',
    commit_message: 'All at once\n\nWith a body.',
    author_name: 'Ada',
    author_email: 'ada@example.com',
    actions: [
      { action: 'create', file_path: 'docs/ü and spaces.md', content: 'text' },
      {
        action: 'create',
        file_path: 'image.bin',
        content: Buffer.from([0, 255, 1]).toString('base64'),
        encoding: 'base64',
      },
      { action: 'update', file_path: 'README.md', content: 'new\n' },
      { action: 'delete', file_path: 'old.txt' },
    ],
  })
  expect(commit).toMatchObject({
    ...{ title: 'All at once', author_name: 'Ada', author_email: 'ada@example.com' },
    ...{ committer_name: 'Administrator', committer_email: 'admin@example.com' },
    ...{ committed_date: commit.created_at, authored_date: expect.stringMatching(/^\d{4}-.*Z$/) },
    web_url: `${world.url}/root/app/-/commit/${commit.id}`,
  })
  expect(commit.parent_ids).toHaveLength(1)
  expect(await world.inRepository(1, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'master')).toBe(
    'README.md\ndocs/ü and spaces.md\nimage.bin',
  )
  expect(await world.inRepository(1, 'rev-parse', 'master')).toBe(commit.id)
  expect(await world.get(`${commits}/${commit.short_id}`)).toEqual(commit)
})

test('start_branch begins a new branch, and refuses one that is there', async ({ withProject: world }) => {
  const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }]
  expect((await post(world, { branch: 'new', start_branch: 'master', actions }))[0]).toBe(201)
  expect(await post(world, { branch: 'new', start_branch: 'master', actions })).toEqual([
    400,
    "A branch called 'new' already exists. Switch to that branch in order to make changes",
  ])
  expect(await post(world, { branch: 'newer', start_branch: 'none', actions })).toEqual([
    400,
    'Cannot find start_branch',
  ])
  expect(await post(world, { branch: 'none', actions })).toEqual([
    400,
    'You can only create or edit files when you are on a branch',
  ])
})

test('invalid actions are refused, and nothing moves', async ({ withProject: world }) => {
  await eachCase(
    [
      [[{ action: 'create', file_path: 'README.md', content: 'x' }], 'A file with this name already exists'],
      [[{ action: 'update', file_path: 'none', content: 'x' }], "A file with this name doesn't exist"],
      [[{ action: 'delete', file_path: 'none' }], "A file with this name doesn't exist"],
      [[{ action: 'update', file_path: 'README.md' }], 'actions[content] is missing'],
      [
        [{ action: 'create', file_path: '../out', content: 'x' }],
        "file_path '../out' is not a path inside the repository",
      ],
      [
        [{ action: 'create', file_path: '.git/config', content: 'x' }],
        "file_path '.git/config' is not a path inside the repository",
      ],
      [[{ action: 'create', file_path: '-x', content: 'x' }], "file_path '-x' is not a path inside the repository"],
      [[{ action: 'move', file_path: 'x' }], 'actions[action] does not have a valid value'],
      [[], 'actions is empty'],
    ],
    async ([actions, message]) => {
      const before = await world.get('/projects/1/repository/branches/master')
      expect(await post(world, { actions })).toEqual([400, message])
      expect(await world.get('/projects/1/repository/branches/master')).toEqual(before)
    },
  )
})

test('commits to one branch at once all land', async ({ withProject: world }) => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => post(world, { actions: [{ action: 'create', file_path: `${n}.txt`, content: 'x' }] })),
  )
  expect(answers.map(([status]) => status)).toEqual([201, 201, 201, 201])
  expect(await world.inRepository(1, 'rev-list', '--count', 'master')).toBe('5')
})

test('a revision that is no branch, tag or sha is 404', async ({ withProject: world }) => {
  await eachCase(['none', '--all', 'master^', 'HEAD~1', 'master:README.md', 'a..b', 'a b'], async (sha) => {
    expect(await world.answer('GET', `${commits}/${encodeURIComponent(sha)}`)).toEqual([
      404,
      { message: '404 Commit Not Found' },
    ])
  })
})

describe('the list', () => {
  /** Three commits a minute apart, the last on a branch. */
  async function history() {
    const world = await openProject()
    const clone = await world.clone('root/app')
    const at = async (minute: number, path: string) => {
      const date = `2026-01-01T00:0${minute}:00Z`
      await writeFile(join(clone, path), String(minute))
      await world.git(clone, 'add', '--all')
      const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
      const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
      execFileSync('git', ['-C', clone, ...person, 'commit', '--quiet', '-m', `${minute}`], { env })
    }
    await world.git(clone, 'checkout', '--quiet', '--orphan', 'old')
    await mkdir(join(clone, 'docs'))
    await at(1, 'README.md')
    await at(2, 'docs/a.md')
    await at(3, 'docs/b.md')
    await world.push(clone, 'old')
    const titles = async (query: string) => await world.list('title', `${commits}?${query}`)
    return { world, titles }
  }

  test('is that of the default branch, newest first, or of what ref_name names', async () => {
    const { world, titles } = await history()
    expect(await titles('')).toEqual(['Begin'])
    expect(await titles('ref_name=old')).toEqual(['3', '2', '1'])
    const [{ parent_ids }] = await world.get(`${commits}?ref_name=old`)
    expect(await titles(`ref_name=${parent_ids[0]}`)).toEqual(['2', '1'])
    expect(await world.answer('GET', `${commits}?ref_name=none`)).toEqual([404, { message: '404 Commit Not Found' }])
  })

  test('the list is of a path, and paged', async () => {
    const { world, titles } = await history()
    const { headers } = await world.call('GET', `${commits}?ref_name=old&path=docs&per_page=1`)
    expect([headers.get('x-total'), headers.get('x-next-page')]).toEqual(['2', '2'])
    await eachCase(
      [
        ['path=docs', ['3', '2']],
        ['path=docs%2F', ['3', '2']],
        ['path=docs/a.md', ['2']],
        ['path=*', []],
        ['path=..%2f..%2fetc', []],
        ['per_page=2', ['3', '2']],
        ['per_page=2&page=2', ['1']],
        ['page=2147483647&per_page=100', []],
      ],
      async ([query, wanted]) => expect(await titles(`ref_name=old&${query}`)).toEqual(wanted),
    )
  })

  test('of an empty repository is empty', async ({ world }) => {
    await world.post('/projects', { name: 'app' })
    expect(await world.get(commits)).toEqual([])
  })
})

describe('a cherry-pick', () => {
  const pick = (world: World, sha: string, branch = 'stable') =>
    world.call('POST', `${commits}/${sha}/cherry_pick`, { branch })

  test('applies one commit to another branch, with its author and a line that names it', async () => {
    const world = await openProject()
    await world.post('/projects/1/repository/branches', { branch: 'stable', ref: 'master' })
    await world.write('master', 'first.txt', 'not picked')
    const actions = [{ action: 'create', file_path: 'fix.txt', content: 'fixed' }]
    const person = { author_name: 'Ada', author_email: 'ada@example.com' }
    const fix = await world.post(commits, { branch: 'master', commit_message: 'Fix it', actions, ...person })
    const { status, body } = await pick(world, fix.id)
    expect([status, body.author_name, body.message]).toEqual([
      201,
      'Ada',
      `Fix it\n\n(cherry picked from commit ${fix.id})`,
    ])
    expect(await world.inRepository(1, 'ls-tree', '--name-only', 'stable')).toBe('README.md\nfix.txt')
    expect(await pick(world, fix.id)).toMatchObject({ status: 400, body: { error_code: 'empty' } })
  })

  test('of a merge commit applies what it changed in its first parent', async ({ withMergeRequest: world }) => {
    await world.post('/projects/1/repository/branches', { branch: 'stable', ref: 'master' })
    await world.write('master', 'other.txt', 'x')
    await world.put('/projects/1/merge_requests/1/merge')
    const { merge_commit_sha } = await world.get('/projects/1/merge_requests/1')
    expect((await pick(world, merge_commit_sha)).body.parent_ids).toHaveLength(1)
    expect(await world.inRepository(1, 'ls-tree', '--name-only', 'stable')).toBe('README.md\nfeature.txt')
  })

  test('that conflicts is refused, and changes nothing', async ({ withProject: world }) => {
    await world.post('/projects/1/repository/branches', { branch: 'stable', ref: 'master' })
    await world.write('stable', 'README.md', 'theirs\n', 'update')
    const fix = await world.write('master', 'README.md', 'ours\n', 'update')
    const before = (await world.get('/projects/1/repository/branches/stable')).commit.id
    expect(await pick(world, fix.id)).toMatchObject({ status: 400, body: { error_code: 'conflict' } })
    expect((await world.get('/projects/1/repository/branches/stable')).commit.id).toBe(before)
    expect((await pick(world, fix.id, 'gone')).status).toBe(404)
    expect((await pick(world, 'f'.repeat(40))).status).toBe(404)
  })
})

test('a commit knows the merge requests that brought it, before and after the merge', async () => {
  const world = await openMergeRequest()
  const { sha } = await world.get(mr)
  const of = async (commit: string) => world.list('iid', `${commits}/${commit}/merge_requests`)
  expect(await of(sha)).toEqual([1])
  const { merge_commit_sha } = await world.put(`${mr}/merge`)
  expect([await of(sha), await of(merge_commit_sha)]).toEqual([[1], [1]])
  const { parent_ids } = await world.get(`${commits}/${sha}`)
  expect(await of(parent_ids[0])).toEqual([])
  expect(await world.status('GET', `${commits}/none/merge_requests`)).toBe(404)
})

test('all branches are listed at once', async ({ withProject: world }) => {
  await world.write('feature', 'a.txt', 'a\n')
  expect(await world.list('title', commits)).toEqual(['Begin'])
  expect(await world.list('title', `${commits}?all=true`)).toEqual(['Write a.txt', 'Begin'])
})
