// Merge requests from forks: made on the fork, living in the target, moved by pushes to the fork.
import { openWorld } from '../sandbox-world.ts'
import { makeFork, openForkWorld } from './fork-world.ts'

const target = '/projects/1/merge_requests'

/** Project 1 of root, forked by ann as project 2. */
async function openFork(settings: Record<string, unknown> = {}) {
  const world = await openWorld()
  return { world, ann: await world.prepare(['fork', settings], (own) => makeFork(own, settings)) }
}

const wanted = { source_branch: 'topic', target_branch: 'master', title: 'From the fork', target_project_id: 1 }

test('it lives in the target with an iid of the target, and is not one of the fork', async () => {
  const { world, ann } = await openFork()
  await world.write('feature', 'feature.txt', 'x')
  await world.post(target, { source_branch: 'feature', target_branch: 'master', title: 'Own' })
  const { id: sha } = await world.writeIn(2, 'topic', 'topic.txt', { token: ann.token })
  const hooks = await world.receiver({ merge_requests_events: true })
  const made = await world.post('/projects/2/merge_requests', wanted, ann.token)
  expect(made).toMatchObject({
    iid: 2,
    project_id: 1,
    target_project_id: 1,
    source_project_id: 2,
    sha,
    changes_count: '1',
    author: { username: 'ann' },
    web_url: `${world.url}/root/app/-/merge_requests/2`,
  })
  expect(await world.get('/projects/2/merge_requests')).toEqual([])
  expect(await world.status('GET', '/projects/2/merge_requests/2')).toBe(404)
  expect(await world.get(`${target}/2`)).toMatchObject({ merge_status: 'can_be_merged' })
  expect(await world.list('id', `${target}/2/commits`)).toEqual([sha])
  expect((await world.get(`${target}/2/changes`)).changes).toMatchObject([{ new_path: 'topic.txt', new_file: true }])
  expect((await hooks.payloads())[0].object_attributes).toMatchObject({
    action: 'open',
    source_project_id: 2,
    target_project_id: 1,
    source: { id: 2, path_with_namespace: 'ann/app' },
    target: { id: 1 },
    last_commit: { id: sha },
  })
})

test('branches of the same name do not stand in each other’s way', async () => {
  const { world, ann } = await openFork()
  await world.writeIn(2, 'master', 'mine.txt', { token: ann.token })
  const made = await world.post('/projects/2/merge_requests', { ...wanted, source_branch: 'master' }, ann.token)
  expect(made).toMatchObject({ source_branch: 'master', target_branch: 'master', changes_count: '1' })
  const again = await world.call(
    'POST',
    '/projects/2/merge_requests',
    { ...wanted, source_branch: 'master' },
    ann.token,
  )
  expect([again.status, again.body.message]).toEqual([
    409,
    ['Another open merge request already exists for this source branch: !1'],
  ])
})

test('a push to the fork moves it, and the target’s hook has the old head', async () => {
  const { world, ann, mergeRequest } = await openForkWorld()
  const first = mergeRequest.sha
  await world.get(`${target}/1`)
  const hooks = await world.receiver({ merge_requests_events: true })
  const { id: second } = await world.writeIn(2, 'topic', 'second.txt', { token: ann.token })
  expect(await world.get(target)).toMatchObject([{ sha: second, changes_count: '2', merge_status: 'unchecked' }])
  const told = (await hooks.payloads()).map((payload) => [
    payload.object_attributes.oldrev,
    payload.object_attributes.last_commit.id,
  ])
  expect(told).toEqual([[first, second]])
  expect(hooks.received[0]?.payload.user).toMatchObject({ username: 'ann' })
  expect(await world.list('head_commit_sha', `${target}/1/versions`)).toEqual([second, first])
})

test('the head is fetched from the target by its number, and stays when the branch goes', async () => {
  const { world, ann, mergeRequest } = await openForkWorld()
  const { sha } = mergeRequest
  await world.delete('/projects/2/repository/branches/topic', ann.token)
  const where = await world.clone('root/app')
  const fetch = await world.git(where, 'fetch', '--quiet', 'origin', 'refs/merge-requests/1/head')
  expect(fetch.code, fetch.output).toBe(0)
  expect((await world.git(where, 'rev-parse', 'FETCH_HEAD')).output.trim()).toBe(sha)
})

test('concurrent pushes to fork and target do not deadlock', async () => {
  const { world, ann } = await openForkWorld()
  const some = [1, 2, 3]
  await Promise.all([
    ...some.map((number) => world.writeIn(2, 'topic', `fork-${number}.txt`, { token: ann.token })),
    ...some.map((number) => world.writeIn(1, 'master', `target-${number}.txt`)),
    ...some.map((number) => world.put(`${target}/1`, { add_labels: `l${number}` })),
  ])
  const branch = await world.get('/projects/2/repository/branches/topic')
  expect(await world.get(`${target}/1`)).toMatchObject({
    sha: branch.commit.id,
    changes_count: '4',
    labels: ['l1', 'l2', 'l3'],
    merge_status: 'can_be_merged',
  })
})

describe('the target', () => {
  test('must be an ancestor of the fork', async () => {
    const { world, ann } = await openFork()
    const bob = await world.user('bob')
    await bob.post('/projects/2/fork', { namespace: 'bob' })
    await world.post('/projects', { name: 'other', visibility: 'public' })
    await world.idle()
    await world.writeIn(3, 'topic', 'topic.txt', { token: bob.token })
    const refusal = { message: { validate_fork: ['Source project is not a fork of the target project'] } }
    const send = (from: number, to: number, token: string) =>
      world.call('POST', `/projects/${from}/merge_requests`, { ...wanted, target_project_id: to }, token)
    for (const [from, to, token] of [
      [3, 4, bob.token],
      [3, 99, bob.token],
      [1, 2, 'root-token'],
    ] as const) {
      const answer = await send(from, to, token)
      expect([answer.status, answer.body], `${from} to ${to}`).toEqual([400, refusal])
    }
    expect((await send(3, 1, bob.token)).body).toMatchObject({ project_id: 1, source_project_id: 3, iid: 1 })
    expect((await send(3, 2, bob.token)).body).toMatchObject({ project_id: 2, source_project_id: 3, iid: 1 })
    await world.delete('/projects/2/fork')
    expect((await send(2, 1, ann.token)).body).toEqual(refusal)
  })

  test('that became private is as unrelated as one that does not exist', async () => {
    const { world, ann } = await openFork()
    await world.writeIn(2, 'topic', 'topic.txt', { token: ann.token })
    await world.put('/projects/1', { name: 'app', visibility: 'private' })
    expect(await world.status('POST', '/projects/2/merge_requests', wanted, ann.token)).toBe(400)
  })

  test('takes none when its merge requests are switched off or it is archived', async () => {
    const { world, ann } = await openFork()
    await world.writeIn(2, 'topic', 'topic.txt', { token: ann.token })
    const send = async () => await world.status('POST', '/projects/2/merge_requests', wanted, ann.token)
    await world.put('/projects/1', { name: 'app', merge_requests_enabled: false })
    expect(await send()).toBe(403)
    await world.put('/projects/1', { name: 'app', merge_requests_enabled: true })
    await world.post('/projects/1/archive')
    expect(await send()).toBe(403)
    await world.post('/projects/1/unarchive')
    expect(await send()).toBe(201)
  })

  test('gives its number of approvals and its milestones', async () => {
    const { world, ann } = await openFork({ approvals_before_merge: 2 })
    await world.writeIn(2, 'topic', 'topic.txt', { token: ann.token })
    const milestone = await world.post('/projects/1/milestones', { title: 'One' })
    const own = await world.post('/projects/2/milestones', { title: 'Mine' }, ann.token)
    const send = (more: object) => world.call('POST', '/projects/2/merge_requests', { ...wanted, ...more })
    expect((await send({ milestone_id: own.id })).body).toEqual({ message: { milestone_id: ['is invalid'] } })
    const made = await send({ milestone_id: milestone.id, approvals_before_merge: 1, labels: 'new' })
    expect(made.body).toMatchObject({ approvals_before_merge: 2, milestone: { title: 'One' }, labels: ['new'] })
    expect(await world.list('name', '/projects/1/labels')).toEqual(['new'])
  })
})

describe('a stranger', () => {
  test('to both projects makes none', async () => {
    const { world, ann } = await openFork()
    const eve = await world.user('eve')
    await world.writeIn(2, 'topic', 'topic.txt', { token: ann.token })
    expect(await eve.status('POST', '/projects/2/merge_requests', wanted)).toBe(403)
  })

  test('to the target describes it, closes and reopens it, and sorts nothing there', async () => {
    const { world, ann } = await openFork()
    await world.writeIn(2, 'topic', 'topic.txt', { token: ann.token })
    const milestone = await world.post('/projects/1/milestones', { title: 'One' })
    const sorting = { labels: 'trusted', assignee_id: ann.id, milestone_id: milestone.id }
    const unsorted = { labels: [], assignee: null, milestone: null }
    expect(await world.post('/projects/2/merge_requests', { ...wanted, ...sorting }, ann.token)).toMatchObject(unsorted)
    const update = (body: unknown) => world.put(`${target}/1`, body, ann.token)
    expect(await update({ ...sorting, add_labels: 'x', discussion_locked: true })).toMatchObject({
      ...unsorted,
      discussion_locked: false,
    })
    expect(
      await update({ title: 'Better', description: 'Said', squash: true, remove_source_branch: true }),
    ).toMatchObject({
      title: 'Better',
      description: 'Said',
      squash: true,
      force_remove_source_branch: true,
    })
    expect((await update({ state_event: 'close' })).state).toBe('closed')
    expect((await update({ state_event: 'reopen' })).state).toBe('opened')
    expect(await world.get('/projects/1/labels')).toEqual([])
  })
})

describe('when the fork is gone', () => {
  test('the merge request is read, listed, updated and closed, but neither reopened nor merged', async () => {
    const { world, ann, mergeRequest } = await openForkWorld()
    const { sha } = mergeRequest
    await world.delete('/projects/2', ann.token)
    await world.idle()
    const hooks = await world.receiver({ merge_requests_events: true })
    expect(await world.get(`${target}/1`)).toMatchObject({ sha, source_project_id: null, state: 'closed' })
    expect(await world.get(target)).toHaveLength(1)
    expect(await world.put(`${target}/1`, { title: 'Still here', labels: 'orphan' })).toMatchObject({
      title: 'Still here',
    })
    expect(await world.body('PUT', `${target}/1`, { state_event: 'reopen' })).toEqual({
      message: { source_branch: ['does not exist'] },
    })
    expect(await world.status('PUT', `${target}/1/merge`)).toBe(406)
    expect(await world.status('PUT', `${target}/1/rebase`)).toBe(403)
    for (const path of ['commits', 'changes', 'participants', 'approvals', 'versions', 'pipelines', 'closes_issues']) {
      expect(await world.status('GET', `${target}/1/${path}`), path).toBe(200)
    }
    expect((await hooks.payloads())[0].object_attributes).toMatchObject({ source: null, last_commit: { id: sha } })
  })

  test('no longer related, it stays at the head that the target has', async () => {
    const { world, ann, mergeRequest } = await openForkWorld()
    const { sha } = mergeRequest
    await world.delete('/projects/2/fork')
    await world.writeIn(2, 'topic', 'later.txt', { token: ann.token })
    expect(await world.get(`${target}/1`)).toMatchObject({ sha })
    expect(await world.status('PUT', `${target}/1/merge`)).toBeLessThan(500)
  })
})
