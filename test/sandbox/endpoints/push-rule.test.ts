// The push rule of a project: created once, updated field by field, removed; it also applies to the API.
import { describe, expect, test } from 'vitest'
import { openWorld, type World } from '../sandbox-world.ts'

const path = '/projects/1/push_rule'
const commit = (world: World, more: Record<string, unknown> = {}, files: Record<string, string> = { 'a.txt': 'a' }) =>
  world.call('POST', '/projects/1/repository/commits', {
    branch: 'master',
    commit_message: 'Message',
    actions: Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content })),
    ...more,
  })

describe('the rule', () => {
  test('asks for nothing unless it is told to, and keeps what it is told', async () => {
    const world = await openWorld()
    await world.project()
    const made = await world.done('POST', path, { commit_message_regex: 'x', max_file_size: 5 })
    expect(made).toEqual({
      id: 1,
      project_id: 1,
      commit_message_regex: 'x',
      branch_name_regex: '',
      author_email_regex: '',
      file_name_regex: '',
      deny_delete_tag: false,
      member_check: false,
      prevent_secrets: false,
      max_file_size: 5,
      created_at: expect.stringMatching(/^\d{4}-/),
    })
    expect(await world.done('GET', path)).toEqual(made)
    expect(await world.done('GET', '/projects/root%2Fapp/push_rule')).toEqual(made)
    const changed = await world.done('PUT', path, { commit_message_regex: '', deny_delete_tag: true })
    expect(changed).toEqual({ ...made, commit_message_regex: '', deny_delete_tag: true })
    const nothing = await world.call('PUT', path, {})
    expect([nothing.status, nothing.body.error]).toEqual([
      400,
      expect.stringMatching(/at least one parameter must be provided$/),
    ])
    expect(await world.done('GET', path)).toEqual(changed)
  })

  test('exists once; there is none to read or change before; removing it twice is fine', async () => {
    const world = await openWorld()
    await world.project()
    for (const method of ['GET', 'PUT']) {
      const answer = await world.call(method, path, method === 'PUT' ? { member_check: true } : undefined)
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Push Rule Not Found' }])
    }
    await world.done('POST', path, {})
    expect((await world.call('POST', path, { member_check: true })).status).toBe(422)
    expect((await world.done('GET', path)).member_check).toBe(false)
    expect((await world.call('DELETE', path)).status).toBe(204)
    expect((await world.call('DELETE', path)).status).toBe(204)
    expect((await world.done('POST', path, {})).id).toBe(2)
  })

  test.each([
    [30, 403],
    [40, 404],
  ])('is for maintainers: level %i gets %i', async (level, status) => {
    const world = await openWorld()
    await world.project()
    const user = await world.user('someone')
    await world.done('POST', '/projects/1/members', { user_id: user.id, access_level: level })
    expect((await world.call('GET', path, undefined, user.token)).status).toBe(status)
    expect((await world.call('POST', path, {}, user.token)).status).toBe(level === 40 ? 201 : 403)
    expect((await world.call('DELETE', path, undefined, user.token)).status).toBe(level === 40 ? 204 : 403)
  })

  test.each(['commit_message_regex', 'branch_name_regex', 'author_email_regex', 'file_name_regex'])(
    'with a %s that is no expression is refused, and nothing changes',
    async (field) => {
      const world = await openWorld()
      await world.project()
      const refused = await world.call('POST', path, { [field]: '(?=x)' })
      expect([refused.status, refused.body.message[field]]).toEqual([
        400,
        [expect.stringContaining('not a valid RE2 regular expression')],
      ])
      const rule = await world.done('POST', path, {})
      expect((await world.call('PUT', path, { [field]: 'a(' })).status).toBe(400)
      expect(await world.done('GET', path)).toEqual(rule)
    },
  )

  test.each([
    { max_file_size: -1 },
    { max_file_size: 'big' },
    { member_check: 'perhaps' },
    { commit_message_regex: 'x'.repeat(512) },
  ])('with %o is refused', async (body) => {
    const world = await openWorld()
    await world.project()
    expect((await world.call('POST', path, body)).status).toBe(400)
  })
})

describe('what the API makes keeps the rule', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>, Record<string, string>, string]>([
    [{ commit_message_regex: '^Fix' }, {}, { 'a.txt': 'a' }, "Commit message does not follow the pattern '^Fix'"],
    [
      { author_email_regex: '@corp$' },
      { author_email: 'a@b' },
      { 'a.txt': 'a' },
      "Author's email 'a@b' does not follow the pattern '@corp$'",
    ],
    [
      { member_check: true },
      { author_email: 'eve@evil' },
      { 'a.txt': 'a' },
      "Author 'eve@evil' is not a member of team",
    ],
    [{ file_name_regex: 'exe$' }, {}, { 'b/a.exe': 'a' }, 'File name b/a.exe was prohibited by the pattern "exe$"'],
    [
      { max_file_size: 1 },
      {},
      { 'a.txt': 'x'.repeat(1_048_577) },
      'File "a.txt" is larger than the allowed size of 1 MB',
    ],
    [
      { branch_name_regex: '^f/' },
      { branch: 'g', start_branch: 'master' },
      { 'a.txt': 'a' },
      "Branch name 'g' does not follow the pattern '^f/'",
    ],
  ])('%o refuses a commit of %o, and the branch stays', async (rule, more, files, message) => {
    const world = await openWorld()
    await world.project()
    await world.done('POST', path, rule)
    const before = await world.done('GET', '/projects/1/repository/branches')
    const refused = await commit(world, more, files)
    expect([refused.status, refused.body]).toEqual([400, { message }])
    expect(await world.done('GET', '/projects/1/repository/branches')).toEqual(before)
  })

  test('a commit of a user, as it should be, passes', async () => {
    const world = await openWorld()
    await world.project()
    await world.done('POST', path, {
      commit_message_regex: '^Fix',
      member_check: true,
      file_name_regex: 'exe$',
      prevent_secrets: true,
      max_file_size: 1,
      branch_name_regex: '^f/',
      author_email_regex: 'example',
    })
    expect((await commit(world, { commit_message: 'Fix it' })).status).toBe(201)
  })

  test('a branch must have a fitting name', async () => {
    const world = await openWorld()
    await world.project()
    await world.done('POST', path, { branch_name_regex: '^f/' })
    const refused = await world.call('POST', '/projects/1/repository/branches', { branch: 'g', ref: 'master' })
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: "Branch name 'g' does not follow the pattern '^f/'" },
    ])
    await world.done('POST', '/projects/1/repository/branches', { branch: 'f/g', ref: 'master' })
  })
})
