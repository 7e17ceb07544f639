// What follows from a push: hooks for branches and tags, and merge requests that move.
import { checkMergeStatus } from '../../../src/sandbox/merge-requests/status.ts'
import { announceRefs } from '../../../src/sandbox/pushes/follow-pushes.ts'
import { mr, openMergeRequest, test } from '../sandbox-world.ts'

test('a push hook has before, after, commits from the oldest, and the user', async ({ world }) => {
  const project = await world.project()
  const hooks = await world.receiver({ push_events: true })
  const before = (await world.get('/projects/1/repository/branches/master')).commit.id
  const clone = await world.clone('root/app')
  const first = await world.commit(clone, 'a.txt', 'a')
  const second = await world.commit(clone, 'README.md', 'changed')
  await world.push(clone, 'master')
  await world.idle()
  const [{ payload }] = hooks.received as [(typeof hooks.received)[number]]
  expect(payload).toMatchObject({
    object_kind: 'push',
    event_name: 'push',
    before,
    after: second,
    ref: 'refs/heads/master',
    checkout_sha: second,
    user_id: 1,
    user_username: 'root',
    user_name: 'Administrator',
    project_id: project.id,
    project: { id: 1, path_with_namespace: 'root/app', default_branch: 'master', visibility_level: 0 },
    total_commits_count: 2,
    commits: [
      {
        id: first,
        title: 'Write a.txt',
        author: { name: 'Ada', email: 'ada@example.com' },
        added: ['a.txt'],
        modified: [],
        removed: [],
      },
      { id: second, added: [], modified: ['README.md'], removed: [] },
    ],
  })
})

test('a new branch has no before, a removed one no after', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true })
  const clone = await world.clone('root/app')
  const sha = await world.commit(clone, 'a.txt', 'a')
  await world.push(clone, 'HEAD:topic')
  await world.push(clone, ':topic')
  await world.idle()
  const nothing = '0'.repeat(40)
  expect(
    hooks.received.map(({ payload }) => [
      payload.before,
      payload.after,
      payload.checkout_sha,
      payload.total_commits_count,
    ]),
  ).toEqual([
    [nothing, sha, sha, 1],
    [sha, nothing, null, 0],
  ])
})

test('only twenty commits are listed, all are counted', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true })
  const clone = await world.clone('root/app')
  for (let number = 1; number <= 25; number += 1)
    await world.git(clone, 'commit', '--quiet', '--allow-empty', '-m', `Number ${number}`)
  await world.push(clone, 'master')
  const payload = (await hooks.payloads())[0]
  expect([payload.commits.length, payload.total_commits_count, payload.commits.at(-1).title]).toEqual([
    20,
    25,
    'Number 25',
  ])
})

test('more than three branches at once raise no push hook at all', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true })
  const clone = await world.clone('root/app')
  await world.git(clone, 'push', '--quiet', 'origin', 'HEAD:a', 'HEAD:b', 'HEAD:c', 'HEAD:d')
  await world.git(clone, 'push', '--quiet', 'origin', 'HEAD:e', 'HEAD:f', 'HEAD:g')
  expect(await hooks.events()).toEqual(['push refs/heads/e', 'push refs/heads/f', 'push refs/heads/g'])
})

test('concurrent pushes each send a hook with their own user', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true })
  const names = ['ann', 'ben', 'cas']
  const clones = await Promise.all(
    names.map(async (name) => {
      const user = await world.user(name)
      await world.join(user, 30)
      const clone = await world.clone('root/app', user.token)
      await world.commit(clone, `${name}.txt`, name)
      return { name, clone }
    }),
  )
  const pushed = await Promise.all(
    clones.map(({ name, clone }) => world.git(clone, 'push', '--quiet', 'origin', `HEAD:${name}`)),
  )
  expect(pushed.map((push) => push.code)).toEqual([0, 0, 0])
  const told = (await hooks.payloads()).map((payload) => `${payload.ref} ${payload.user_username}`).sort()
  expect(told).toEqual(names.map((name) => `refs/heads/${name} ${name}`))
})

test('a push moves the head, resets merge_status and sends a hook with oldrev', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const before = await world.get(mr)
  await world.post(`${mr}/approve`)
  const hooks = await world.receiver({ merge_requests_events: true })
  const clone = await world.clone('root/app')
  await world.checkout(clone, 'feature')
  const pushed = await world.commit(clone, 'more.txt', 'more')
  await world.push(clone, 'feature')
  const [listed] = await world.get('/projects/1/merge_requests')
  expect(listed).toMatchObject({
    sha: pushed,
    merge_status: 'unchecked',
    detailed_merge_status: 'unchecked',
    changes_count: '2',
  })
  expect(listed.updated_at > before.updated_at).toBe(true)
  expect(await world.get(mr)).toMatchObject({ sha: pushed, merge_status: 'can_be_merged' })
  expect((await world.get(`${mr}/approvals`)).user_has_approved).toBe(true)
  expect(await hooks.events()).toEqual(['merge_request update'])
  expect(hooks.received[0]?.payload.object_attributes).toMatchObject({
    oldrev: sha,
    last_commit: { id: pushed, title: 'Write more.txt' },
  })
})

test('a push to the target makes the status unchecked, and the next look finds the conflict', async () => {
  const world = await openMergeRequest()
  await world.write('feature', 'README.md', 'feature', 'update')
  expect((await world.get(mr)).merge_status).toBe('can_be_merged')
  await world.write('master', 'README.md', 'master', 'update')
  expect((await world.get('/projects/1/merge_requests'))[0].merge_status).toBe('unchecked')
  expect((await world.get(mr)).merge_status).toBe('cannot_be_merged')
})

test('a push to the target that brings in the commits of one merge request merges that one alone', async () => {
  const world = await openMergeRequest()
  await world.write('other', 'other.txt', 'other')
  await world.open('other', 'Add the other')
  const clone = await world.clone('root/app')
  await world.git(clone, 'merge', '--quiet', '--no-ff', '-m', 'By hand', 'origin/other')
  await world.push(clone, 'master')
  const listed: { title: string; state: string }[] = await world.get('/projects/1/merge_requests')
  expect(listed.map(({ title, state }) => [title, state])).toEqual([
    ['Add the other', 'merged'],
    ['Add the feature', 'opened'],
  ])
})

test('one push of several merges names the one of each, and of commits without a merge the last', async () => {
  const world = await openMergeRequest()
  for (const branch of ['other', 'last']) {
    await world.write(branch, `${branch}.txt`, branch)
    await world.open(branch, `Add ${branch}`)
  }
  const clone = await world.clone('root/app')
  const head = async () => (await world.git(clone, 'rev-parse', 'HEAD')).output.trim()
  await world.git(clone, 'merge', '--quiet', '--ff-only', 'origin/feature')
  const expected = [await head()]
  for (const branch of ['other', 'last']) {
    await world.git(clone, 'merge', '--quiet', '--no-ff', '-m', branch, `origin/${branch}`)
    expected.push(await head())
  }
  await world.push(clone, 'HEAD:master')
  expect((await world.list('merge_commit_sha', '/projects/1/merge_requests')).reverse()).toEqual(expected)
})

test('a push that brings one in merges it, although somebody read it before the push was followed', async () => {
  const world = await openMergeRequest()
  const { sha } = await world.get(mr)
  await world.sandbox.within(async (inside) => {
    await inside.git.text(1, ['update-ref', 'refs/heads/master', sha])
    const [found, root] = [inside.mergeRequests.first('iid', '1:1'), inside.users.get(1)]
    if (found === undefined || root === undefined) throw new Error('the world has neither')
    await checkMergeStatus(inside, found)
    await inside.serialise('project 1', () => announceRefs(inside, 1, root))
  })
  expect((await world.get(mr)).state).toBe('merged')
})
