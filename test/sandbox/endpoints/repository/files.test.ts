// Files through the API, as they are in a commit.
import { eachCase, test } from '../../sandbox-world.ts'

test('a file comes with its blob and its commits', async ({ withProject: world }) => {
  const first = await world.write('master', 'docs/a.md', 'text ü')
  const second = await world.write('master', 'b.txt', 'b')
  const file = await world.get('/projects/1/repository/files/docs%2Fa.md?ref=master')
  expect(file).toMatchObject({
    file_name: 'a.md',
    file_path: 'docs/a.md',
    size: 7,
    commit_id: second.id,
    last_commit_id: first.id,
  })
  expect(Buffer.from(file.content, 'base64').toString()).toBe('text ü')
  expect(await world.inRepository(1, 'rev-parse', 'master:docs/a.md')).toBe(file.blob_id)
  expect(await world.get('/projects/1/repository/files/docs%2Fa.md/raw')).toBe('text ü')
})

test('bytes come as they are', async ({ withProject: world }) => {
  const bytes = Buffer.from([0, 1, 254, 255, 10, 13])
  const action = { action: 'create', file_path: 'x.bin', content: bytes.toString('base64'), encoding: 'base64' }
  await world.post('/projects/1/repository/commits', {
    branch: 'master',
    commit_message: 'm',
    actions: [action],
  })
  const response = await fetch(`${world.url}/api/v4/projects/1/repository/files/x.bin/raw?ref=master`, {
    headers: { 'PRIVATE-TOKEN': 'root-token' },
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
})

test('an unknown file or ref is 404, and a missing ref 400', async ({ withProject: world }) => {
  await world.write('master', 'docs/a.md', 'a')
  await eachCase(
    [
      ['none?ref=master', 404, { message: '404 File Not Found' }],
      ['..%2f..%2fetc%2fpasswd?ref=master', 404, { message: '404 File Not Found' }],
      ['docs?ref=master', 404, { message: '404 File Not Found' }],
      ['README.md?ref=none', 404, { message: '404 Commit Not Found' }],
      ['README.md', 400, { error: 'ref is missing' }],
    ],
    async ([path, status, body]) =>
      expect(await world.answer('GET', `/projects/1/repository/files/${path}`)).toEqual([status, body]),
  )
})

const files = '/projects/1/repository/files'
const on = (branch: string, content?: string) => ({ branch, commit_message: 'Change it', content })

test('a file is created, changed and removed, each in a commit', async ({ withProject: world }) => {
  const body = { ...on('master', Buffer.from([0, 255]).toString('base64')), encoding: 'base64', author_name: 'Ada' }
  expect(await world.post(`${files}/a%2Fx.bin`, body)).toEqual({ file_path: 'a/x.bin', branch: 'master' })
  expect(await world.inRepository(1, 'cat-file', '-s', 'master:a/x.bin')).toBe('2')
  await world.put(`${files}/a%2Fx.bin`, { ...on('next', 'text'), start_branch: 'master' })
  expect(await world.get(`${files}/a%2Fx.bin/raw?ref=next`)).toBe('text')
  await world.delete(`${files}/a%2Fx.bin?branch=next&commit_message=Remove`)
  expect(await world.status('GET', `${files}/a%2Fx.bin?ref=next`)).toBe(404)
  const [last] = await world.get('/projects/1/repository/commits?ref_name=next')
  // The message is as given.
  expect(last).toMatchObject({ message: 'Remove', author_name: 'Administrator' })
})

test('a write that does not fit is refused, and below Developer nobody writes', async ({ withProject: world }) => {
  const ann = await world.member('ann', 20)
  await eachCase(
    [
      ['POST', 'README.md', on('master', 'x'), 400, { message: 'A file with this name already exists' }],
      ['PUT', 'none.md', on('master', 'x'), 400, { message: "A file with this name doesn't exist" }],
      ['PUT', 'README.md', on('none', 'x'), 400, undefined],
      ['POST', '..%2fx', on('master', 'x'), 400, { message: "file_path '../x' is not a path inside the repository" }],
      ['POST', 'new.md', on('master'), 400, { error: 'content is missing' }],
    ] as const,
    async ([method, path, body, status, answer]) => {
      const got = await world.call(method, `${files}/${path}`, body)
      expect([got.status, answer === undefined ? undefined : got.body]).toEqual([status, answer])
    },
  )
  expect(await ann.status('POST', `${files}/new.md`, on('master', 'x'))).toBe(403)
})

const tree = '/projects/1/repository/tree'

test('a folder is listed, folders first, alone or with all below it', async ({ withProject: world }) => {
  await world.write('master', 'b/c/ü d.txt', 'x')
  await world.write('master', 'a.txt', 'x')
  expect(await world.get(tree)).toMatchObject([
    { name: 'b', path: 'b', type: 'tree', mode: '040000' },
    { name: 'README.md', path: 'README.md', type: 'blob', mode: '100644' },
    { name: 'a.txt', type: 'blob', id: await world.inRepository(1, 'rev-parse', 'master:a.txt') },
  ])
  expect(await world.list('path', `${tree}?path=b/&recursive=true&ref=master`)).toEqual(['b/c', 'b/c/ü d.txt'])
  expect(await world.list('name', `${tree}?recursive=true&per_page=2&page=2`)).toEqual(['README.md', 'a.txt'])
  await eachCase(['path=none', 'path=a.txt', 'path=../..', 'ref=none', 'path=--name-only'], async (query) =>
    expect(await world.answer('GET', `${tree}?${query}`)).toEqual([404, { message: '404 Tree Not Found' }]),
  )
})

test('an archive has all files of a commit, in every format', async ({ withProject: world }) => {
  await eachCase(['archive', ...['tar', 'tar.gz', 'zip', 'bz2'].map((end) => `archive.${end}`)], async (path) => {
    const headers = { 'PRIVATE-TOKEN': 'root-token' }
    const answer = await fetch(`${world.url}/api/v4/projects/1/repository/${path}?sha=master`, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    const begin = { zip: 'PK', tar: 'pax_global', bz2: 'BZ' }[path.slice('archive.'.length)]
    expect(bytes.subarray(0, 2).toString('latin1')).toBe(begin?.slice(0, 2) ?? '\x1f\x8b')
  })
  expect(await world.status('GET', '/projects/1/repository/archive.exe')).toBe(400)
  expect(await world.status('GET', '/projects/1/repository/archive?sha=none')).toBe(404)
})
