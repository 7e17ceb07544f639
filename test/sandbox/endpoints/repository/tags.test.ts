// Tags through the API: plain and annotated, as git sees them.
import { execFileSync } from 'node:child_process'
import { eachCase, test } from '../../sandbox-world.ts'

const path = '/projects/1/repository/tags'

test('a tag with a message is annotated, one without names the commit itself', async ({ withProject: world }) => {
  const { id } = (await world.get('/projects/1/repository/branches/master')).commit
  const plain = await world.post(path, { tag_name: 'v1', ref: 'master' })
  expect(plain).toMatchObject({
    name: 'v1',
    message: null,
    target: id,
    protected: false,
    commit: { id, title: 'Begin' },
  })
  const annotated = await world.post(path, { tag_name: 'release/v2', ref: id, message: 'Two\n\nü <x>\n' })
  expect(annotated).toMatchObject({ name: 'release/v2', message: 'Two\n\nü <x>', commit: { id } })
  expect(annotated.target).not.toBe(id)
  expect(await world.get(`${path}/release%2Fv2`)).toEqual(annotated)
  expect(await world.inRepository(1, 'cat-file', '-t', 'release/v2')).toBe('tag')
  expect(await world.inRepository(1, 'rev-parse', 'release/v2')).toBe(annotated.target)
  const tagger = ['for-each-ref', '--format=%(taggername) %(taggeremail)', 'refs/tags/release']
  expect(await world.inRepository(1, ...tagger)).toBe('Administrator <admin@example.com>')
  expect(await world.inRepository(1, 'fsck', '--strict')).not.toContain('error')
})

test('a message of nothing makes a plain tag', async ({ withProject: world }) => {
  expect((await world.post(path, { tag_name: 'v1', ref: 'master', message: ' \n' })).message).toBeNull()
})

test('the list is newest first, can be searched, and comes in pages', async ({ withProject: world }) => {
  const clone = await world.clone('root/app')
  for (const [tag, date] of [
    ['old', '2026-01-01T00:00:00Z'],
    ['new', '2026-03-01T00:00:00Z'],
    ['mid', '2026-02-01T00:00:00Z'],
  ] as const) {
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    execFileSync('git', ['-C', clone, ...person, 'commit', '--quiet', '--allow-empty', '-m', tag], { env })
    await world.git(clone, 'tag', tag)
  }
  await world.push(clone, '--tags')
  const names = async (query: string) => await world.list('name', `${path}${query}`)
  expect(await names('')).toEqual(['new', 'mid', 'old'])
  expect(await names('?search=%5Eo')).toEqual(['old'])
  expect(await names('?per_page=1&page=2')).toEqual(['mid'])
})

test('an invalid or taken name, or an unknown ref, is refused', async ({ withProject: world }) => {
  await world.post(path, { tag_name: 'v1', ref: 'master' })
  await eachCase(
    [
      [{ tag_name: 'v1', ref: 'master' }, 'Tag v1 already exists'],
      [{ tag_name: 'v1/x', ref: 'master' }, 'Tag name conflicts with an existing tag'],
      [{ tag_name: 'v 2', ref: 'master' }, 'Tag name invalid'],
      [{ tag_name: '-v', ref: 'master' }, 'Tag name invalid'],
      [{ tag_name: 'v2', ref: 'none' }, 'Target none is invalid'],
    ],
    async ([body, message]) => expect(await world.answer('POST', path, body)).toEqual([400, { message }]),
  )
})

test('a tag is removed once; a folder of tags is none', async ({ withProject: world }) => {
  await world.post(path, { tag_name: 'release/v1', ref: 'master', message: 'one' })
  for (const name of ['release', 'none', '..%2f..%2fheads%2fmaster']) {
    expect(await world.answer('GET', `${path}/${name}`)).toEqual([404, { message: '404 Tag Not Found' }])
  }
  expect(await world.status('DELETE', `${path}/release%2Fv1`)).toBe(204)
  expect(await world.status('DELETE', `${path}/release%2Fv1`)).toBe(404)
  expect(await world.get(path)).toEqual([])
})

test('a push rule that denies it to git push lets the API remove a tag', async ({ withProject: world }) => {
  await world.post('/projects/1/push_rule', { deny_delete_tag: true })
  await world.post(path, { tag_name: 'v1', ref: 'master' })
  expect(await world.status('DELETE', `${path}/v1`)).toBe(204)
})
