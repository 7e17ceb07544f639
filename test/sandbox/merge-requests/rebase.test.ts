// Rebasing merge requests.
import { isRebasing, startRebase } from '../../../src/sandbox/merge-requests/rebase.ts'
import { userById } from '../../../src/sandbox/storage/world.ts'
import { mr, openMergeRequest, test, type World } from '../sandbox-world.ts'
import { openForkWorld } from './fork-world.ts'

/** A merge request of two commits whose target has moved on since. */
const behind = (world: World) =>
  world.prepare('behind', async (own) => {
    await own.mergeRequest()
    await own.write('feature', 'second.txt', 'second\n')
    await own.write('master', 'other.txt', 'other\n')
    return null
  })

test('the commits are made anew on top of the target, and the merge request follows', async ({ world }) => {
  await behind(world)
  const before = await world.get(mr)
  expect(before).not.toHaveProperty('rebase_in_progress')
  const commits = await world.get(`${mr}/commits`)
  const hooks = await world.receiver({ push_events: true, merge_requests_events: true })
  expect(await world.put(`${mr}/rebase`)).toEqual({ rebase_in_progress: true })
  await world.idle()
  const after = await world.get(`${mr}?include_rebase_in_progress=true`)
  expect(after).toMatchObject({
    rebase_in_progress: false,
    merge_error: null,
    merge_status: 'can_be_merged',
    changes_count: '2',
  })
  expect(after.sha).not.toBe(before.sha)
  const rebased = await world.get(`${mr}/commits`)
  const told = (list: typeof commits) =>
    list.map(({ title, author_name, message }: Record<string, string>) => ({ title, author_name, message }))
  expect(told(rebased)).toEqual(told(commits))
  expect(await world.inRepository(1, 'rev-list', '--count', 'feature..master')).toBe('0')
  const files = await world.inRepository(1, 'ls-tree', '--name-only', 'feature')
  expect(files).toBe('README.md\nfeature.txt\nother.txt\nsecond.txt')
  expect(await hooks.events()).toEqual(['push refs/heads/feature', 'merge_request update'])
  expect(hooks.received[1]?.payload.object_attributes).toMatchObject({
    oldrev: before.sha,
    last_commit: { id: after.sha },
  })
  expect(await world.get(`${mr}/versions`)).toHaveLength(3)
})

test('authors keep their names and dates; the committer is the caller', async ({ world }) => {
  await behind(world)
  const dev = await world.member('dev', 30)
  const clone = await world.clone('root/app')
  await world.checkout(clone, 'feature')
  await world.commit(clone, 'dated.txt', 'dated')
  await world.git(
    clone,
    'commit',
    '--quiet',
    '--amend',
    '--no-edit',
    '--date=2020-02-02T02:02:02+05:30',
    '--author=Zoë <zoe@example.com>',
  )
  await world.push(clone, 'feature')
  await world.rebase(dev.token)
  await world.git(clone, 'fetch', '--quiet')
  const told = await world.git(clone, 'log', '-1', '--format=%an <%ae> %aI, %cn', 'origin/feature')
  expect(told.output.trim()).toBe('Zoë <zoe@example.com> 2020-02-02T02:02:02+05:30, dev')
})

test('merge commits, and commits that the target has, are dropped', async ({ world }) => {
  await behind(world)
  const clone = await world.clone('root/app')
  await world.checkout(clone, 'feature')
  await world.git(clone, 'merge', '--quiet', '--no-edit', 'origin/master')
  const third = await world.commit(clone, 'third.txt', 'third')
  await world.push(clone, 'feature')
  await world.checkout(clone, 'master')
  await world.git(clone, 'cherry-pick', third)
  await world.commit(clone, 'last.txt', 'last')
  expect((await world.push(clone, 'master')).code).toBe(0)
  await world.rebase()
  const titles = await world.list('title', `${mr}/commits`)
  expect(titles).toEqual(['Write second.txt', 'Write feature.txt'])
  expect(await world.get(mr)).toMatchObject({ changes_count: '2', merge_error: null })
})

test('a branch that is on top of its target already stays as it is', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.rebase()
  expect(await world.get(mr)).toMatchObject({ sha, merge_error: null })
})

test('a conflict sets merge_error and moves nothing; the next success clears it', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const clash = await world.write('master', 'feature.txt', 'theirs\n')
  await world.rebase()
  const conflict = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'
  expect(await world.get(mr)).toMatchObject({ sha, merge_error: conflict, merge_status: 'cannot_be_merged' })
  const clone = await world.clone('root/app')
  await world.git(clone, 'revert', '--no-edit', clash.id)
  await world.push(clone, 'master')
  await world.rebase()
  expect(await world.get(mr)).toMatchObject({ merge_error: null, merge_status: 'can_be_merged' })
})

test('the push rule of the project holds here, too', async ({ world }) => {
  await behind(world)
  const { sha } = await world.get(mr)
  await world.post('/projects/1/push_rule', { commit_message_regex: '^TICKET-' })
  await world.rebase()
  const shown = await world.get(mr)
  expect(shown.sha).toBe(sha)
  expect(shown.merge_error).toMatch(/^Rebase failed: .*TICKET-/)
})

test('a fork’s branch is rebased in the fork, by users who may push there', async () => {
  const { world, ann } = await openForkWorld()
  const before = await world.get(mr)
  await world.write('master', 'other.txt', 'other\n')
  const merger = await world.member('merger', 40)
  expect(await merger.answer('PUT', `${mr}/rebase`)).toEqual([
    403,
    { message: '403 Forbidden - Cannot push to source branch' },
  ])
  await world.rebase(ann.token)
  const after = await world.get(mr)
  expect(after.sha).not.toBe(before.sha)
  expect((await world.get('/projects/2/repository/branches/topic')).commit.id).toBe(after.sha)
  expect(await world.status('GET', '/projects/2/repository/files/other.txt?ref=topic')).toBe(200)
  expect((await world.put(`${mr}/merge`, { sha: after.sha })).state).toBe('merged')
})

describe('refusals', () => {
  test('without the right to push, without a branch, and when it is not open', async () => {
    const world = await openMergeRequest({ project: { visibility: 'public' } })
    const ann = await world.user('ann')
    const refusal = async (token?: string) => {
      const { status, body } = await world.call('PUT', `${mr}/rebase`, undefined, token)
      return [status, body.message]
    }
    expect(await refusal(ann.token)).toEqual([403, '403 Forbidden - Cannot push to source branch'])
    await world.put(mr, { state_event: 'close' })
    expect(await refusal()).toEqual([409, 'The merge request is not open'])
    await world.delete('/projects/1/repository/branches/feature')
    expect(await refusal()).toEqual([403, '403 Forbidden - Source branch does not exist'])
    expect(await world.status('PUT', '/projects/1/merge_requests/7/rebase')).toBe(404)
  })

  test('a second one while the first is under way', async ({ world }) => {
    await behind(world)
    // The rebase begins when this task is over.
    await world.sandbox.within(async (inside) => {
      const [opened, root] = [inside.mergeRequests.all()[0], userById(inside, 1)]
      if (opened === undefined) throw new Error('there is no merge request')
      await startRebase(inside, opened, root)
      expect(isRebasing(inside, opened)).toBe(true)
      await expect(startRebase(inside, opened, root)).rejects.toMatchObject({ status: 409 })
    })
    await world.idle()
    expect(await world.get(`${mr}?include_rebase_in_progress=true`)).toMatchObject({ rebase_in_progress: false })
    expect(await world.status('PUT', `${mr}/rebase`)).toBe(202)
  })

  test('a merge request that was merged meanwhile is not rebased', async ({ world }) => {
    await behind(world)
    const { sha } = await world.get(mr)
    const [rebase, merge] = await Promise.all([world.call('PUT', `${mr}/rebase`), world.call('PUT', `${mr}/merge`)])
    await world.idle()
    const after = await world.get(mr)
    // Either comes first; both are never done to the same head.
    if (after.sha === sha) expect([merge.status, after.state]).toEqual([200, 'merged'])
    else expect([rebase.status, after.merge_error]).toEqual([202, null])
    const head = await world.get('/projects/1/repository/branches/feature')
    expect(head.commit.id).toBe(after.sha)
  })
})

test('the error of an earlier rebase stays until the next one ends, or until a push', async ({ world }) => {
  await world.mergeRequest()
  await world.write('master', 'feature.txt', 'theirs\n')
  const error = async () => (await world.get(mr)).merge_error
  await world.rebase()
  expect(await error()).toMatch(/^Rebase failed/)
  await world.write('feature', 'second.txt', 'second\n')
  await world.idle()
  expect(await error()).toBeNull()
})

test('how far it is behind its target is shown where that is asked for', async ({ world }) => {
  await behind(world)
  expect(await world.get(mr)).not.toHaveProperty('diverged_commits_count')
  const behindBy = async () => (await world.get(`${mr}?include_diverged_commits_count=true`)).diverged_commits_count
  expect(await behindBy()).toBe(1)
  await world.rebase()
  expect(await behindBy()).toBe(0)
})
