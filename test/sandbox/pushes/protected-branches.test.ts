// Protected branches: for git, for the repository's endpoints, and for merges.
import { matchesBranch, mayMergeInto, mayPushTo } from '../../../src/sandbox/pushes/protected-branches.ts'
import { projectById, userById } from '../../../src/sandbox/storage/world.ts'
import { openMergeRequest, openProject, test, type World } from '../sandbox-world.ts'

const base = '/projects/1/protected_branches'
const levels = { reporter: 20, developer: 30, maintainer: 40 }

test.each([
  ['master', 'master', true],
  ['master', 'master2', false],
  ['release/*', 'release/1/2', true],
  ['release/*', 'release', false],
  ['*', 'anything', true],
  ['a*b*a', 'aba', true],
  ['a*b*a', 'ab', false],
  ['a*a', 'a', false],
  ['*-stable', 'x-stable', true],
  ['*-stable', 'x-stable-y', false],
])('the pattern %s matches %s: %s', (pattern, branch, expected) => {
  expect(matchesBranch(pattern, branch)).toBe(expected)
})

async function push(world: World, token: string, ref = 'HEAD:master', ...flags: string[]) {
  const clone = await world.clone('root/app', token)
  await world.commit(clone, 'pushed.txt', 'pushed')
  return (await world.git(clone, 'push', ...flags, 'origin', ref)).output
}

test.each([
  ['developer', {}, false],
  ['maintainer', {}, true],
  ['developer', { push_access_level: 30 }, true],
  ['maintainer', { push_access_level: 0 }, false],
  ['maintainer', { push_access_level: 60 }, false],
  ['developer', { name: '*' }, false],
  ['developer', { allowed_to_push: [{ access_level: 30 }] }, true],
  ['maintainer', { allowed_to_push: [{ access_level: 60 }] }, false],
  ['developer', { name: 'release/*' }, true],
] as const)('a %s may push where %o is protected: %s', async (role, more, may) => {
  const world = await openProject()
  const { id } = await world.member(role, levels[role])
  await world.post(base, { name: 'master', ...more })
  const answer = await world.sandbox.within(async (inside) =>
    mayPushTo(inside, projectById(inside, 1), userById(inside, id), 'master'),
  )
  expect(answer).toBe(may)
})

describe('a push by git', () => {
  test('of who may not is refused with the reason', async ({ withProject: world }) => {
    const { token } = await world.member('developer', 30)
    await world.post(base, { name: 'master' })
    const refusal = 'You are not allowed to push code to protected branches on this project'
    expect(await push(world, token)).toContain(refusal)
    expect(await world.list('title', '/projects/1/repository/commits')).toEqual(['Begin'])
  })

  test.each([false, true])('that is forced passes where allow_force_push is %s', async (allow_force_push) => {
    const world = await openProject()
    await world.post(base, { name: 'master', allow_force_push })
    const clone = await world.clone('root/app')
    await world.git(clone, 'commit', '--quiet', '--amend', '-m', 'Other')
    const { output } = await world.git(clone, 'push', '--force', 'origin', 'HEAD:master')
    if (allow_force_push) expect(output).toContain('(forced update)')
    else expect(output).toContain('You are not allowed to force push code to a protected branch on this project')
  })

  test('deletes no protected branch', async ({ withProject: world }) => {
    await world.post('/projects/1/repository/branches', { branch: 'kept', ref: 'master' })
    await world.post(base, { name: 'kept' })
    expect(await push(world, 'root-token', ':kept')).toContain('Protected branches cannot be deleted by a push')
    expect(await world.status('GET', '/projects/1/repository/branches/kept')).toBe(200)
  })
})

describe('the API', () => {
  test.each([
    ['developer', 403, 403, 403],
    ['maintainer', 201, 201, 204],
  ] as const)(
    'answers the commit, the new branch and the deletion of a %s with %i, %i, %i',
    async (role, ...expected) => {
      const world = await openProject()
      const member = await world.member(role, levels[role])
      await world.post(base, { name: '*' })
      await world.post('/projects/1/repository/branches', { branch: 'old', ref: 'master' })
      const actions = [{ action: 'create', file_path: 'a', content: 'a' }]
      const commit = { branch: 'master', commit_message: 'A', actions }
      expect([
        await member.status('POST', '/projects/1/repository/commits', commit),
        await member.status('POST', '/projects/1/repository/branches', { branch: 'new', ref: 'master' }),
        await member.status('DELETE', '/projects/1/repository/branches/old'),
      ]).toEqual(expected)
    },
  )

  test('shows on a branch who may push and merge', async ({ withProject: world }) => {
    const developer = await world.member('developer', 30)
    const master = () => developer.get('/projects/1/repository/branches/master')
    expect(await master()).toMatchObject({ protected: false, can_push: true, developers_can_push: false })
    await world.post(base, { name: 'mas*', allowed_to_merge: [{ access_level: 30 }] })
    const expected = { protected: true, can_push: false, developers_can_push: false, developers_can_merge: true }
    expect(await master()).toMatchObject(expected)
  })
})

describe('a merge into a protected branch', () => {
  test.each([
    ['developer', {}, 401],
    ['developer', { push_access_level: 30 }, 200],
    ['maintainer', { push_access_level: 0 }, 200],
    ['maintainer', { push_access_level: 0, merge_access_level: 0 }, 401],
  ] as const)('by a %s, protected with %o, answers %i', async (role, more, status) => {
    const world = await openMergeRequest()
    const member = await world.member(role, levels[role])
    await world.post(base, { name: 'master', ...more })
    expect(await member.status('PUT', '/projects/1/merge_requests/1/merge', {})).toBe(status)
  })

  test.each([
    ['a role', 'developer', () => ({ access_level: 30 }), true],
    ['nobody but another role', 'developer', () => ({ access_level: 40 }), false],
    ['the user', 'developer', ({ user_id }) => ({ user_id }), true],
    ['the user, no developer', 'reporter', ({ user_id }) => ({ user_id }), false],
    ['another user', 'developer', () => ({ user_id: 1 }), false],
    ['a group of the user', 'developer', ({ group_id }) => ({ group_id }), true],
    ['another group', 'developer', ({ other_id }) => ({ group_id: other_id }), false],
  ] as const satisfies [string, keyof typeof levels, (ids: Record<string, number>) => object, boolean][])(
    'that the list allows to %s is one a %s may make: %s',
    async (_, role, entryOf, may) => {
      const world = await openProject()
      const { id: user_id } = await world.member('ada', levels[role])
      const [group, other] = [await world.group('Inside'), await world.group('Outside')]
      await world.join({ id: user_id }, 30, `groups/${group.id}`)
      const entry = entryOf({ user_id, group_id: group.id, other_id: other.id })
      await world.post(base, { name: 'master', push_access_level: 0, allowed_to_merge: [entry] })
      const answer = await world.sandbox.within(async (inside) =>
        mayMergeInto(inside, projectById(inside, 1), userById(inside, user_id), 'master'),
      )
      expect(answer).toBe(may)
    },
  )

  test('several protections of a branch: the most permissive counts', async ({ withMergeRequest: world }) => {
    const developer = await world.member('developer', 30)
    await world.post(base, { name: 'master' })
    await world.post(base, { name: 'm*', merge_access_level: 30 })
    expect(await developer.status('PUT', '/projects/1/merge_requests/1/merge', {})).toBe(200)
  })

  test('does not happen when the branch was protected while it waited', async ({ withMergeRequest: world }) => {
    const { sha } = await world.get('/projects/1/merge_requests/1')
    const developer = await world.member('developer', 30)
    await world.report(sha, 'running')
    await developer.put('/projects/1/merge_requests/1/merge', { merge_when_pipeline_succeeds: true })
    await world.post(base, { name: 'master' })
    await world.report(sha, 'success')
    await world.idle()
    expect((await world.get('/projects/1/merge_requests/1')).state).toBe('opened')
  })

  test('keeps a protected source branch, which cannot be rebased either', async ({ withMergeRequest: world }) => {
    await world.post(base, { name: 'feature' })
    expect(await world.status('PUT', '/projects/1/merge_requests/1/rebase')).toBe(403)
    await world.put('/projects/1/merge_requests/1/merge', { should_remove_source_branch: true })
    expect(await world.status('GET', '/projects/1/repository/branches/feature')).toBe(200)
  })
})

test('a push hook says whether its branch is protected', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true })
  await world.post(base, { name: 'm*' })
  for (const branch of ['master', 'other']) await world.write(branch, `${branch}.txt`, 'new')
  expect((await hooks.payloads()).map((payload) => payload.ref_protected)).toEqual([true, false])
})
