// Accepting: states, the order of refusals, races, and the merge that waits for the pipeline (api-v4.md §3.1, §7).
import { describe, expect, test } from 'vitest'
import type { Gate } from '../../../src/sandbox/start-sandbox.ts'
import { openWorld, type World } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const refusal = async (world: World, body: unknown = {}, token?: string) => {
  const answer = await world.call('PUT', `${mr}/merge`, body, token)
  return [answer.status, answer.body.message]
}
const conflict = async (world: World) => {
  await world.write('feature', 'README.md', 'one\nfeature\nthree\n', 'update')
  await world.write('master', 'README.md', 'one\nmaster\nthree\n', 'update')
}

describe('what is refused, and in which order', () => {
  test('401 comes before everything for someone who may not merge', async () => {
    const world = await openWorld()
    await world.mergeRequest({ project: { visibility: 'public' } })
    const reporter = await world.user('reporter')
    await world.done('POST', '/projects/1/members', { user_id: reporter.id, access_level: 20 })
    await world.done('PUT', mr, { state_event: 'close' })
    expect(await refusal(world, { sha: 'wrong' }, reporter.token)).toEqual([401, '401 Unauthorized'])
  })

  test('401 is also for guests of a private project, who see no merge request at all', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const guest = await world.user('guest')
    await world.done('POST', '/projects/1/members', { user_id: guest.id, access_level: 10 })
    expect(await refusal(world, {}, guest.token)).toEqual([401, '401 Unauthorized'])
    expect((await world.call('PUT', `${mr}/cancel_merge_when_pipeline_succeeds`, undefined, guest.token)).status).toBe(
      401,
    )
    const stranger = await world.user('stranger')
    expect(await refusal(world, {}, stranger.token)).toEqual([404, '404 Project Not Found'])
  })

  test('a closed and a merged one are 406 Method Not Allowed', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await world.done('PUT', mr, { state_event: 'close' })
    expect(await refusal(world)).toEqual([406, 'Method Not Allowed'])
    await world.done('PUT', mr, { state_event: 'reopen' })
    await world.done('PUT', `${mr}/merge`)
    expect(await refusal(world, { sha: 'wrong' })).toEqual([406, 'Method Not Allowed'])
  })

  test('a conflict is 405 Branch cannot be merged, before a wrong sha', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await conflict(world)
    expect(await refusal(world, { sha: 'wrong' })).toEqual([405, 'Branch cannot be merged'])
    expect(await world.done('GET', mr)).toMatchObject({
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'conflict',
      state: 'opened',
    })
  })

  test.each(['Draft: not yet', 'WIP: not yet', '[Draft] not yet', '(draft) not yet'])(
    'the title %s keeps it from being merged',
    async (title) => {
      const world = await openWorld()
      await world.mergeRequest({ mr: { title } })
      expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
      expect(await world.done('GET', mr)).toMatchObject({
        work_in_progress: true,
        detailed_merge_status: 'draft_status',
      })
    },
  )

  test('a project that asks for a successful pipeline refuses until there is one', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { only_allow_merge_if_pipeline_succeeds: true } })
    expect(await refusal(world, { sha: 'wrong' })).toEqual([405, 'Branch cannot be merged'])
    expect((await world.done('GET', mr)).detailed_merge_status).toBe('ci_must_pass')
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'running' })
    expect((await world.done('GET', mr)).detailed_merge_status).toBe('ci_still_running')
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
    expect((await world.done('PUT', `${mr}/merge`, { sha })).state).toBe('merged')
  })

  test('missing approvals refuse', async () => {
    const world = await openWorld()
    await world.mergeRequest({ project: { approvals_before_merge: 1 } })
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
    expect((await world.done('GET', mr)).detailed_merge_status).toBe('not_approved')
    await world.done('POST', `${mr}/approve`)
    expect((await world.done('PUT', `${mr}/merge`)).state).toBe('merged')
  })

  test('a sha that is not the head is 409', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    expect(await refusal(world, { sha: 'f'.repeat(40) })).toEqual([409, 'SHA does not match HEAD of source branch'])
    expect((await world.done('GET', mr)).state).toBe('opened')
  })

  test('a source branch without anything new cannot be merged', async () => {
    const world = await openWorld()
    await world.project()
    await world.done('POST', '/projects/1/repository/branches', { branch: 'same', ref: 'master' })
    await world.done('POST', '/projects/1/merge_requests', {
      source_branch: 'same',
      target_branch: 'master',
      title: 'Nothing',
    })
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
  })
})

describe('what else keeps it from being merged', () => {
  test('into an archived project nobody may merge: 401', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await world.done('POST', '/projects/1/archive')
    expect(await refusal(world)).toEqual([401, '401 Unauthorized'])
    expect((await world.call('PUT', `${mr}/cancel_merge_when_pipeline_succeeds`)).status).toBe(401)
  })

  test('a source or target branch that is gone, and histories with nothing in common: 405', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const clone = await world.clone('root/app')
    await world.git(clone, 'checkout', '--quiet', '--orphan', 'island')
    await world.commit(clone, 'island.txt', 'island')
    await world.git(clone, 'push', '--quiet', 'origin', 'island')
    const island = await world.done('POST', '/projects/1/merge_requests', {
      source_branch: 'island',
      target_branch: 'master',
      title: 'I',
    })
    expect((await world.call('PUT', `/projects/1/merge_requests/${island.iid}/merge`)).body).toEqual({
      message: 'Branch cannot be merged',
    })
    await world.done('DELETE', '/projects/1/repository/branches/feature')
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
  })

  test('a failed or skipped pipeline, where the project asks for one that succeeds', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { only_allow_merge_if_pipeline_succeeds: true } })
    for (const state of ['failed', 'canceled', 'skipped']) {
      await world.done('POST', `/projects/1/statuses/${sha}`, { state })
      expect(await refusal(world), state).toEqual([405, 'Branch cannot be merged'])
    }
  })

  test('the message of a merge has to keep the push rule; what is wrong is written down', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await world.done('POST', '/projects/1/push_rule', { commit_message_regex: '^TICKET-' })
    expect(await refusal(world)).toEqual([405, 'Branch cannot be merged'])
    expect((await world.done('GET', mr)).merge_error).toMatch(/TICKET-/)
    const merged = await world.done('PUT', `${mr}/merge`, { merge_commit_message: 'TICKET-1 Merge' })
    expect(merged).toMatchObject({ state: 'merged', merge_error: null })
  })
})

test('comments are no discussions that could be resolved, so none of them is in the way', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { only_allow_merge_if_all_discussions_are_resolved: true } })
  expect((await world.done('POST', `${mr}/notes`, { body: 'Why?' })).resolvable).toBe(false)
  expect((await world.done('PUT', `${mr}/merge`)).state).toBe('merged')
})

test('an empty sha is a sha, and not the head: nothing is merged or approved', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const merged = await world.call('PUT', `${mr}/merge`, { sha: '' })
  expect([merged.status, merged.body]).toEqual([409, { message: 'SHA does not match HEAD of source branch' }])
  expect((await world.call('POST', `${mr}/approve`, { sha: '' })).status).toBe(409)
  expect(await world.done('GET', mr)).toMatchObject({ state: 'opened' })
})

test('an empty message is the usual one', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const merged = await world.done('PUT', `${mr}/merge`, { merge_commit_message: '' })
  const commit = await world.done('GET', `/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit.title).toBe("Merge branch 'feature' into 'master'")
})

describe('races', () => {
  test('a push that comes in just before the merge makes the judged sha wrong', async () => {
    let push: () => Promise<unknown> = async () => undefined
    const gate: Gate = async ({ endpoint }) => {
      if (endpoint === 'mergeRequests.accept') await push()
    }
    const world = await openWorld({ gate })
    const { sha } = await world.mergeRequest()
    const clone = await world.clone('root/app')
    await world.git(clone, 'checkout', '--quiet', 'feature')
    const pushed = await world.commit(clone, 'late.txt', 'late')
    push = () => world.git(clone, 'push', '--quiet', 'origin', 'feature')
    expect(await refusal(world, { sha })).toEqual([409, 'SHA does not match HEAD of source branch'])
    expect(await world.done('GET', mr)).toMatchObject({ state: 'opened', sha: pushed })
  })

  test('of many at once one merges, the others are 406', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.call('PUT', `${mr}/merge`, { sha })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 406, 406, 406, 406, 406])
  })

  test('several into one branch at once all land', async () => {
    const world = await openWorld()
    await world.project()
    for (const name of ['a', 'b', 'c']) {
      await world.write(name, `${name}.txt`, name)
      await world.done('POST', '/projects/1/merge_requests', {
        source_branch: name,
        target_branch: 'master',
        title: name,
      })
    }
    const answers = await Promise.all(
      [1, 2, 3].map((iid) => world.call('PUT', `/projects/1/merge_requests/${iid}/merge`)),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    const clone = await world.clone('root/app')
    expect((await world.git(clone, 'ls-files')).output.trim().split('\n')).toEqual([
      'README.md',
      'a.txt',
      'b.txt',
      'c.txt',
    ])
  })
})

describe('merge_when_pipeline_succeeds', () => {
  const waiting = { merge_when_pipeline_succeeds: true }

  test('it stays open while the pipeline runs, and is merged by who asked when it succeeds', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    const merger = await world.user('merger')
    await world.done('POST', '/projects/1/members', { user_id: merger.id, access_level: 30 })
    const hooks = await world.receiver({ merge_requests_events: true, pipeline_events: true })
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'running' })
    const asked = await world.done(
      'PUT',
      `${mr}/merge`,
      { ...waiting, sha, should_remove_source_branch: true },
      merger.token,
    )
    expect(asked).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
    expect(await world.done('GET', mr)).toMatchObject({ state: 'merged' })
    expect((await world.call('GET', '/projects/1/repository/branches/feature')).status).toBe(404)
    await world.sandbox.idle()
    expect(hooks.events()).toEqual(['pipeline running', 'pipeline success', 'merge_request merge'])
    expect(hooks.received.at(-1)?.payload.user.username).toBe('merger')
  })

  test('it is merged at once when the pipeline has succeeded already', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
    expect((await world.done('PUT', `${mr}/merge`, waiting)).state).toBe('merged')
  })

  test('a failed pipeline merges nothing, its successful retry does', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'running' })
    await world.done('PUT', `${mr}/merge`, waiting)
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'failed' })
    expect((await world.done('GET', mr)).state).toBe('opened')
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
    expect((await world.done('GET', mr)).state).toBe('merged')
  })

  test('a push takes it back', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'running' })
    await world.done('PUT', `${mr}/merge`, waiting)
    await world.write('feature', 'more.txt', 'more')
    expect(await world.done('GET', mr)).toMatchObject({ merge_when_pipeline_succeeds: false })
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
    expect((await world.done('GET', mr)).state).toBe('opened')
  })

  test('cancelling: 401 without the right, 406 when nothing waits, 405 when it is over', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { visibility: 'public' } })
    const stranger = await world.user('stranger')
    const cancel = async (token?: string) => {
      const answer = await world.call('PUT', `${mr}/cancel_merge_when_pipeline_succeeds`, undefined, token)
      return answer.status
    }
    expect(await cancel(stranger.token)).toBe(401)
    expect(await cancel()).toBe(406)
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'running' })
    await world.done('PUT', `${mr}/merge`, waiting)
    expect(await cancel()).toBe(200)
    expect((await world.done('GET', mr)).merge_when_pipeline_succeeds).toBe(false)
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
    expect((await world.done('GET', mr)).state).toBe('opened')
    await world.done('PUT', mr, { state_event: 'close' })
    expect(await cancel()).toBe(405)
  })
})
