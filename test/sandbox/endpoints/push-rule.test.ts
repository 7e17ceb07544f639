// The push rule of a project: created once, updated field by field, removed; it also applies to the API.
import { eachCase, test } from '../sandbox-world.ts'

const path = '/projects/1/push_rule'

describe('the rule', () => {
  test('limits nothing by default, and keeps its settings', async ({ withProject: world }) => {
    const made = await world.post(path, { commit_message_regex: 'x', max_file_size: 5 })
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
    expect(await world.get(path)).toEqual(made)
    expect(await world.get('/projects/root%2Fapp/push_rule')).toEqual(made)
    const changed = await world.put(path, { commit_message_regex: '', deny_delete_tag: true })
    expect(changed).toEqual({ ...made, commit_message_regex: '', deny_delete_tag: true })
    const nothing = await world.call('PUT', path, {})
    expect([nothing.status, nothing.body.error]).toEqual([
      400,
      expect.stringMatching(/at least one parameter must be provided$/),
    ])
    expect(await world.get(path)).toEqual(changed)
  })

  test('exists at most once, and may be removed twice', async ({ withProject: world }) => {
    for (const method of ['GET', 'PUT']) {
      expect(await world.answer(method, path, method === 'PUT' ? { member_check: true } : undefined)).toEqual([
        404,
        { message: '404 Push Rule Not Found' },
      ])
    }
    await world.post(path, {})
    expect(await world.status('POST', path, { member_check: true })).toBe(422)
    expect((await world.get(path)).member_check).toBe(false)
    expect(await world.status('DELETE', path)).toBe(204)
    expect(await world.status('DELETE', path)).toBe(204)
    expect((await world.post(path, {})).id).toBe(2)
  })

  test('an invalid expression is refused, and nothing changes', async ({ withProject: world }) => {
    await eachCase(
      ['commit_message_regex', 'branch_name_regex', 'author_email_regex', 'file_name_regex'],
      async (field) => {
        const refused = await world.call('POST', path, { [field]: '(?=x)' })
        expect([refused.status, refused.body.message[field]]).toEqual([
          400,
          [expect.stringContaining('not a valid RE2 regular expression')],
        ])
        expect(await world.status('GET', path)).toBe(404)
      },
    )
    const tooLong = await world.call('POST', path, { branch_name_regex: 'x'.repeat(512) })
    expect(tooLong.body.message).toEqual({ branch_name_regex: ['is too long (maximum is 511 characters)'] })
    const rule = await world.post(path, {})
    expect(await world.status('PUT', path, { file_name_regex: 'a(' })).toBe(400)
    expect(await world.get(path)).toEqual(rule)
  })
})

describe('the API enforces the rule', () => {
  test('a commit that breaks it is refused, and the branch stays', async ({ withProject: world }) => {
    await world.post(path, { commit_message_regex: '^Fix' })
    const before = await world.get('/projects/1/repository/branches')
    const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }]
    const commit = { branch: 'master', commit_message: 'Message', actions }
    const message = "Commit message does not follow the pattern '^Fix'"
    expect(await world.answer('POST', '/projects/1/repository/commits', commit)).toEqual([400, { message }])
    expect(await world.get('/projects/1/repository/branches')).toEqual(before)
  })

  test('a branch must have a fitting name', async ({ withProject: world }) => {
    await world.post(path, { branch_name_regex: '^f/' })
    expect(await world.answer('POST', '/projects/1/repository/branches', { branch: 'g', ref: 'master' })).toEqual([
      400,
      { message: "Branch name 'g' does not follow the pattern '^f/'" },
    ])
    await world.post('/projects/1/repository/branches', { branch: 'f/g', ref: 'master' })
  })
})
