// Accepting: states, the order of refusals, races, and the merge that waits for the pipeline.
import type { Gate } from '../../../src/sandbox/http/serve-api.ts'
import { type Caller, mr, openMergeRequest, openWorld, test, type World } from '../sandbox-world.ts'

const refusal = async (by: Caller, body: unknown = {}) => {
  const answer = await by.call('PUT', `${mr}/merge`, body)
  return [answer.status, answer.body.message]
}
const conflict = async (world: World) => {
  await world.write('feature', 'README.md', 'one\nfeature\nthree\n', 'update')
  await world.write('master', 'README.md', 'one\nmaster\nthree\n', 'update')
}

describe('refusals in order', () => {
  test('401 for a user who may not merge comes first', async () => {
    const world = await openMergeRequest({ project: { visibility: 'public' } })
    const reporter = await world.member('reporter', 20)
    await world.put(mr, { state_event: 'close' })
    expect(await refusal(reporter, { sha: 'wrong' })).toEqual([401, '401 Unauthorized'])
  })

  test('401 is also for guests of a private project, who see no merge request at all', async () => {
    const world = await openMergeRequest()
    const guest = await world.member('guest', 10)
    expect(await refusal(guest)).toEqual([401, '401 Unauthorized'])
    expect(await guest.status('PUT', `${mr}/cancel_merge_when_pipeline_succeeds`)).toBe(401)
    const stranger = await world.user('stranger')
    expect(await refusal(stranger)).toEqual([404, '404 Project Not Found'])
  })

  test('a closed and a merged one are 406 Method Not Allowed', async ({ withMergeRequest: world }) => {
    await world.put(mr, { state_event: 'close' })
    expect(await refusal(world)).toEqual([406, 'Method Not Allowed'])
    await world.put(mr, { state_event: 'reopen' })
    await world.put(`${mr}/merge`)
    expect(await refusal(world, { sha: 'wrong' })).toEqual([406, 'Method Not Allowed'])
  })

  test('a conflict is 405 Branch cannot be merged, before a wrong sha', async ({ withMergeRequest: world }) => {
    await conflict(world)
    expect(await refusal(world, { sha: 'wrong' })).toEqual([405, 'Branch cannot be merged'])
    expect(await world.get(mr)).toMatchObject({
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'conflict',
      state: 'opened',
    })
  })

  test('a draft is 405', async () => {
    const world = await openMergeRequest({ mr: { title: 'Draft: not yet' } })
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
    expect(await world.get(mr)).toMatchObject({
      ...{ work_in_progress: true, draft: true, detailed_merge_status: 'draft_status' },
    })
  })

  test('a project that asks for a successful pipeline refuses until there is one', async ({ world }) => {
    const { sha } = await world.mergeRequest({ project: { only_allow_merge_if_pipeline_succeeds: true } })
    expect(await refusal(world, { sha: 'wrong' })).toEqual([405, 'Branch cannot be merged'])
    expect((await world.get(mr)).detailed_merge_status).toBe('ci_must_pass')
    for (const state of ['failed', 'canceled', 'skipped', 'running']) {
      await world.report(sha, state)
      expect(await refusal(world), state).toEqual([405, 'Branch cannot be merged'])
    }
    expect((await world.get(mr)).detailed_merge_status).toBe('ci_still_running')
    await world.report(sha, 'success')
    expect((await world.put(`${mr}/merge`, { sha })).state).toBe('merged')
  })

  test('missing approvals refuse', async () => {
    const world = await openMergeRequest({ project: { approvals_before_merge: 1 } })
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
    expect((await world.get(mr)).detailed_merge_status).toBe('not_approved')
    await world.post(`${mr}/approve`)
    expect((await world.put(`${mr}/merge`)).state).toBe('merged')
  })

  test('a source branch without anything new cannot be merged', async ({ withProject: world }) => {
    await world.post('/projects/1/repository/branches', { branch: 'same', ref: 'master' })
    await world.open('same', 'Nothing')
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
  })
})

test('into an archived project nobody may merge: 401', async ({ withMergeRequest: world }) => {
  await world.post('/projects/1/archive')
  expect(await refusal(world)).toEqual([401, '401 Unauthorized'])
  expect(await world.status('PUT', `${mr}/cancel_merge_when_pipeline_succeeds`)).toBe(401)
})

test('a source or target branch that is gone, and histories with nothing in common: 405', async () => {
  const world = await openMergeRequest()
  const clone = await world.clone('root/app')
  await world.git(clone, 'checkout', '--quiet', '--orphan', 'island')
  await world.commit(clone, 'island.txt', 'island')
  await world.push(clone, 'island')
  const island = await world.open('island', 'I')
  expect(await world.body('PUT', `/projects/1/merge_requests/${island.iid}/merge`)).toEqual({
    message: 'Branch cannot be merged',
  })
  await world.delete('/projects/1/repository/branches/feature')
  expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
})

test('a merge message that breaks the push rule sets merge_error', async ({ withMergeRequest: world }) => {
  await world.post('/projects/1/push_rule', { commit_message_regex: '^TICKET-' })
  expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
  expect((await world.get(mr)).merge_error).toMatch(/TICKET-/)
  const merged = await world.put(`${mr}/merge`, { merge_commit_message: 'TICKET-1 Merge' })
  expect(merged).toMatchObject({ state: 'merged', merge_error: null })
})

test('an empty sha is a sha, and not the head: nothing is merged or approved', async ({ withMergeRequest: world }) => {
  expect(await world.answer('PUT', `${mr}/merge`, { sha: '' })).toEqual([
    409,
    { message: 'SHA does not match HEAD of source branch' },
  ])
  expect(await world.status('POST', `${mr}/approve`, { sha: '' })).toBe(409)
  expect(await world.get(mr)).toMatchObject({ state: 'opened' })
})

test('a push just before the merge makes the given sha wrong', async () => {
  let push: () => Promise<unknown> = async () => undefined
  const gate: Gate = async ({ endpoint }) => {
    if (endpoint === 'mergeRequests.accept') await push()
  }
  const world = await openWorld({ gate })
  const { sha } = await world.mergeRequest()
  const clone = await world.clone('root/app')
  await world.checkout(clone, 'feature')
  const pushed = await world.commit(clone, 'late.txt', 'late')
  push = () => world.push(clone, 'feature')
  expect(await refusal(world, { sha })).toEqual([409, 'SHA does not match HEAD of source branch'])
  expect(await world.get(mr)).toMatchObject({ state: 'opened', sha: pushed })
})

test('a head that was pushed over is not merged, even before that push is announced', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  // Git has taken the push, and nobody knows of it yet.
  const pushed = await world.inRepository(1, 'commit-tree', `${sha}^{tree}`, '-p', sha, '-m', 'Later')
  expect(await world.inRepository(1, 'update-ref', 'refs/heads/feature', pushed)).toBe('')
  for (const body of [{ sha }, {}])
    expect(await refusal(world, body)).toEqual([409, 'SHA does not match HEAD of source branch'])
  expect(await world.get(mr)).toMatchObject({ state: 'opened' })
})

test('of many at once one merges, the others are 406', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const answers = await Promise.all(Array.from({ length: 6 }, () => world.call('PUT', `${mr}/merge`, { sha })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 406, 406, 406, 406, 406])
})

test('several into one branch at once all land', async ({ withProject: world }) => {
  for (const name of ['a', 'b', 'c']) {
    await world.write(name, `${name}.txt`, name)
    await world.open(name, name)
  }
  const answers = await Promise.all(
    [1, 2, 3].map((iid) => world.call('PUT', `/projects/1/merge_requests/${iid}/merge`)),
  )
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  expect(await world.inRepository(1, 'ls-tree', '--name-only', 'master')).toBe('README.md\na.txt\nb.txt\nc.txt')
})

describe('merge_when_pipeline_succeeds', () => {
  const waiting = { merge_when_pipeline_succeeds: true }

  test('auto-merge merges as the requesting user when the pipeline succeeds', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    const merger = await world.member('merger', 30)
    const hooks = await world.receiver({ merge_requests_events: true, pipeline_events: true })
    await world.report(sha, 'running')
    const asked = await merger.put(`${mr}/merge`, { ...waiting, sha, should_remove_source_branch: true })
    expect(asked).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    await world.report(sha, 'success')
    expect(await world.get(mr)).toMatchObject({ state: 'merged' })
    expect(await world.status('GET', '/projects/1/repository/branches/feature')).toBe(404)
    expect(await hooks.events()).toEqual(['pipeline running', 'pipeline success', 'merge_request merge'])
    expect(hooks.received.at(-1)?.payload.user.username).toBe('merger')
  })

  test('it is merged at once when the pipeline has succeeded already', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    await world.report(sha, 'success')
    expect((await world.put(`${mr}/merge`, waiting)).state).toBe('merged')
  })

  test('a failed pipeline merges nothing, its successful retry does', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    await world.report(sha, 'running')
    await world.put(`${mr}/merge`, waiting)
    await world.report(sha, 'failed')
    expect((await world.get(mr)).state).toBe('opened')
    await world.report(sha, 'success')
    expect((await world.get(mr)).state).toBe('merged')
  })

  test('a push takes it back', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    await world.report(sha, 'running')
    await world.put(`${mr}/merge`, waiting)
    await world.write('feature', 'more.txt', 'more')
    expect(await world.get(mr)).toMatchObject({ merge_when_pipeline_succeeds: false })
    await world.report(sha, 'success')
    expect((await world.get(mr)).state).toBe('opened')
  })

  // GitLab has POST, the page PUT.
  test.each(['POST', 'PUT'])(
    'cancelling by %s: 401 without the right, 406 when nothing waits, 405 when it is over',
    async (method) => {
      const world = await openWorld()
      const { sha } = await world.mergeRequest({ project: { visibility: 'public' } })
      const stranger = await world.user('stranger')
      const cancel = (by: Caller = world) => by.status(method, `${mr}/cancel_merge_when_pipeline_succeeds`)
      expect(await cancel(stranger)).toBe(401)
      expect(await cancel()).toBe(406)
      await world.report(sha, 'running')
      await world.put(`${mr}/merge`, { ...waiting, should_remove_source_branch: true })
      expect(await cancel()).toBe(200)
      const cancelled = { merge_when_pipeline_succeeds: false, should_remove_source_branch: null }
      expect(await world.get(mr)).toMatchObject(cancelled)
      await world.report(sha, 'success')
      expect((await world.get(mr)).state).toBe('opened')
      await world.put(mr, { state_event: 'close' })
      expect(await cancel()).toBe(405)
    },
  )
})
