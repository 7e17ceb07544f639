// Files through the API, as they are in a commit.
import { expect } from 'vitest'
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
