// Evaluate under changes and failures: it merges only what was evaluated, and withdraws what rules no longer support.
import nock from 'nock'
import { freezeMark } from '../../../src/bot/evaluation/freezes.ts'
import { enqueuedMark } from '../../../src/bot/rule-files/enqueue-open.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import type { Json } from '../../../src/rules/types.ts'
import { playService, service } from '../../client/world.ts'
import { bot, head, mergeRequest } from '../../rules/world.ts'
import { serves, servesList } from '../service-answers.ts'
import { useStores } from '../stores.ts'
import { makeEvaluation, mr, reads, readsApprovals, readsProject, rule } from './evaluate-world.ts'

playService()
const stores = useStores()
const makeOne = (text: string, newRuleLimit = 0) => makeEvaluation(text, { stores, policy: { newRuleLimit } })

test('a merge is not sent when the rule file changed without a hook, and all open ones are evaluated by the new rules', async () => {
  const merges = rule('{ accept: { pipeline: none } }')
  const one = await makeOne(merges)
  await one.journal.marks.write(1, enqueuedMark, { version: merges, forIssues: false })
  servesList('/projects/1/merge_requests', [{ iid: 8 }])
  readsProject()
  serves(mr, () => {
    one.commit(merges.replace('draft: false', 'draft: true'))
    return mergeRequest()
  })
  const sent = service().put(`${mr}/merge`).reply(200, {})
  reads({}, 2)
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(sent.isDone()).toBe(false)
  const answers = await one.answers()
  expect(answers).toMatchObject([{ result: 'moved', status: null }])
  const enqueued = await one.queues.mergeRequests.list(['waiting', 'prioritized'], 0, 9)
  expect(enqueued.map(({ data }) => data)).toEqual([{ project: 1, iid: 8 }])
})

test('a merge is not sent where the project was frozen after it was decided, until the freeze is over', async () => {
  const one = await makeOne(rule('{ accept: { pipeline: none } }'))
  readsProject()
  const freeze = { until: '9999-01-01T00:00:00Z', except: [], by: 'alice', at: '2026-11-30T00:00:00Z' }
  serves(mr, async () => {
    await one.journal.marks.write(1, freezeMark, freeze)
    return mergeRequest({ head_pipeline: null })
  })
  reads({ head_pipeline: null }, 2)
  const sent = service().put(`${mr}/merge`).reply(200, { state: 'merged' })
  await one.run()
  expect(await one.answers()).toMatchObject([{ result: 'moved' }])
  await one.journal.marks.write(1, freezeMark, { ...freeze, until: '2000-01-01T00:00:00Z' })
  reads({ head_pipeline: null }, 2)
  await one.run()
  expect(sent.isDone()).toBe(true)
})

test('a merge that the service confirms is not read again: its own delivery is evaluated', async () => {
  const one = await makeOne(rule('{ accept: { pipeline: none } }'))
  await one.addEvent('opened')
  readsProject()
  reads({ head_pipeline: null }, 2)
  service().put(`${mr}/merge`).reply(200, { state: 'merged' })
  const unread = reads({ state: 'merged' })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect([unread.isDone(), await one.pending()]).toEqual([false, []])
  expect(await one.answers()).toMatchObject([{ result: 'done' }])
})

test('a merge that was decided by a project read before is not sent where the project changed since', async () => {
  const one = await makeOne(rule('{ accept: { pipeline: none, squash: true } }'))
  const project = (squash_option: string, times: number) =>
    service().get('/projects/1').times(times).reply(200, { id: 1, default_branch: 'main', squash_option })
  const sent = service().put(`${mr}/merge`).reply(200, { state: 'merged' })
  project('default_off', 1)
  reads({ head_pipeline: null, squash: true, detailed_merge_status: 'checking' })
  await one.run()
  project('never', 2)
  reads({ head_pipeline: null, squash: true }, 3)
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(sent.isDone()).toBe(false)
})

test('a run that lost its job does not overwrite the memory', async () => {
  const one = await makeOne(rule('{ label: { while: x } }'))
  // The first run waits in its read until the second has added the label.
  serves(mr, async () => {
    reads({ draft: false })
    service().put(mr).reply(200, {})
    reads({ labels: ['x'] })
    expect(await one.run()).toEqual({ outcome: 'done' })
    return mergeRequest({ work_in_progress: true })
  })
  const taken = () => Promise.reject(new JobTakenOver('j'))
  await expect(one.run({ claim: taken })).rejects.toThrow(JobTakenOver)
  expect(await one.memory()).toMatchObject({ of: { label: ['x'] }, rules: { 'rules/test.yml#a': { matched: true } } })
})

test('after an error between two calls the next run makes only the calls that are left', async () => {
  const one = await makeOne(rule('{ label: { add: x }, subscribe: true, todo: true }', 'on: merge_request.update'))
  await one.addEvent('d1')
  reads()
  service().put(mr).reply(200, {})
  service().post(`${mr}/subscribe`).reply(401, { error: 'invalid_token' })
  await expect(one.run()).rejects.toMatchObject({ status: 401 })
  expect(await one.pending()).toEqual(['d1'])
  reads({ labels: ['x'] })
  service().post(`${mr}/subscribe`).reply(201, {})
  service().post(`${mr}/todo`).reply(201, {})
  reads({ labels: ['x'], subscribed: true })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.pending()).toEqual([])
})

test('a call whose response is lost is shown by the decision that sent it', async () => {
  const one = await makeOne(rule('{ approve: true }'))
  reads()
  readsApprovals()
  service().post(`${mr}/approve`).replyWithError('connection reset')
  await expect(one.run()).rejects.toThrow()
  expect(await one.answers()).toMatchObject([{ call: { endpoint: 'mergeRequests.approve' }, result: 'ambiguous' }])
})

test('a call that keeps failing does not withdraw an approval that the rules support', async () => {
  const one = await makeOne(rule('{ approve: true, subscribe: true }'))
  reads()
  readsApprovals()
  service().post(`${mr}/approve`).reply(201, {})
  service().post(`${mr}/subscribe`).times(9).reply(500, {})
  reads()
  readsApprovals(bot)
  const back = service().post(`${mr}/unapprove`).reply(201, {})
  await expect(one.run({ attempt: 3 })).rejects.toMatchObject({ status: 500 })
  expect(back.isDone()).toBe(false)
  expect((await one.memory())?.of?.approve).toBe(head)
})

test('a merge is not sent while the service still shows the fields of before the update', async () => {
  const one = await makeOne(rule('{ accept: { pipeline: none, squash: true } }'))
  readsProject()
  service()
    .persist()
    .get(mr)
    .reply(200, mergeRequest({ squash: false }))
  service().persist().put(mr).reply(200, {})
  const sent = service().persist().put(`${mr}/merge`).reply(200, {})
  await one.run()
  const answers = await one.answers()
  expect(answers.map(({ call, result }) => `${call.endpoint} ${result}`)).toContain('mergeRequests.accept moved')
  expect(sent.isDone()).toBe(false)
})

/** An approved merge request whose changes the service fails to answer. */
async function makeUndecidable(of: Record<string, Json>) {
  const one = await makeOne(rule('{ approve: true }', 'if: { changed_files: { all: "docs/**" } }'))
  await stores.journal.mergeRequests.save(one.ref, { memory: { rules: {}, pushes: [], of } })
  const served = { isAway: false, fields: {} }
  const answer = () => (served.isAway ? ([500, {}] as const) : ([200, mergeRequest(served.fields)] as const))
  service().persist().get(mr).reply(answer)
  service().persist().get(`${mr}/changes`).reply(500, {})
  const approved_by = [{ user: bot }]
  service().persist().get(`${mr}/approvals`).reply(200, { approvals_left: 0, approved_by })
  return { ...one, served }
}

test('an approval is withdrawn where the rules cannot be decided, from the third attempt on until it succeeds', async () => {
  const { run, memory, served } = await makeUndecidable({ approve: head })
  const withdrawn = service().post(`${mr}/unapprove`).reply(201, {})
  for (const [attempt, isAway, isWithdrawn] of [
    [2, false, false],
    [3, true, false],
    [3, false, true],
  ] as const) {
    served.isAway = isAway
    await expect(run({ attempt })).rejects.toMatchObject({ status: 500 })
    expect(withdrawn.isDone()).toBe(isWithdrawn)
  }
  expect((await memory())?.of?.approve).toBeUndefined()
})

test('a waiting merge, and an entry in a merge queue, are withdrawn where the rules cannot be decided', async () => {
  const queued = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: false }
  for (const accept of [{ waitingSha: head }, { queued }] as Record<string, Json>[]) {
    const { run, memory, served } = await makeUndecidable({ accept })
    served.fields = { merge_when_pipeline_succeeds: 'waitingSha' in accept }
    const cancelled = service().post(`${mr}/cancel_merge_when_pipeline_succeeds`).reply(200, {})
    await expect(run({ attempt: 3 })).rejects.toMatchObject({ status: 500 })
    expect(cancelled.isDone()).toBe('waitingSha' in accept)
    expect((await memory())?.of).toBeUndefined()
    nock.cleanAll()
  }
})

/** The states of statuses on the head, as they come. */
function statesPosted(): unknown[] {
  const states: unknown[] = []
  service()
    .persist()
    .post(`/projects/1/statuses/${head}`)
    .reply(201, (_uri, body) => {
      states.push(typeof body === 'object' && 'state' in body ? body.state : body)
      return { id: 1 }
    })
  return states
}

test('a status is failed where the rules cannot be decided, from the third attempt on, and once', async () => {
  const one = await makeOne(
    rule('{ status: { name: bellhop/policy } }', 'if: { changed_files: { all: "docs/**" }, labels: { none: [x] } }'),
  )
  service().persist().get(mr).reply(200, mergeRequest())
  service().persist().get(`${mr}/changes`).reply(500, {})
  service().persist().get(`/projects/1/repository/commits/${head}/statuses`).query(true).reply(200, [])
  const states = statesPosted()
  for (const attempt of [2, 3, 4]) {
    await expect(one.run({ attempt })).rejects.toMatchObject({ status: 500 })
    expect(states).toEqual(attempt === 2 ? [] : ['failed'])
  }
})

test('a status whose rule is gone is withdrawn where the other rules cannot be decided', async () => {
  const place = { project: 1, sha: head, ref: 'feature', pipeline: 5 }
  const posted = { ...place, state: 'success', description: 'A rule matches.', unmet: 'pending' }
  const { run, memory } = await makeUndecidable({ status: { 'bellhop/policy': posted } })
  const states = statesPosted()
  for (const attempt of [2, 3, 4]) {
    await expect(run({ attempt })).rejects.toMatchObject({ status: 500 })
    expect(states).toEqual(attempt === 2 ? [] : ['pending'])
  }
  expect((await memory())?.of?.status).toMatchObject({ 'bellhop/policy': { ...place, state: 'pending' } })
})

test('a run that loses its job during a withdrawal sends no further call and saves nothing', async () => {
  const one = await makeUndecidable({ approve: head, accept: { waitingSha: head } })
  one.served.fields = { merge_when_pipeline_succeeds: true }
  const sent: string[] = []
  const other = { rules: {}, pushes: [], of: { approve: 'c'.repeat(40) } }
  const answerTo = (call: string) => async () => {
    sent.push(call)
    // Another run has the job by now.
    await stores.journal.mergeRequests.save(one.ref, { memory: other })
    return {}
  }
  service().post(`${mr}/unapprove`).reply(201, answerTo('unapprove'))
  service().put(`${mr}/cancel_merge_when_pipeline_succeeds`).reply(200, answerTo('cancel'))
  const claim = async () => {
    if (sent.length > 0) throw new JobTakenOver('j')
    return false
  }
  await expect(one.run({ claim, attempt: 3 })).rejects.toThrow(JobTakenOver)
  expect(sent).toHaveLength(1)
  expect(await one.memory()).toEqual(other)
})

test('an event stays while the facts of its rule are of another version of the merge request', async () => {
  const one = await makeOne(
    rule('{ subscribe: true }', 'on: merge_request.update, if: { changed_files: { any: "docs/**" } }'),
  )
  await one.addEvent('d1')
  service().persist().get(mr).reply(200, mergeRequest())
  service()
    .persist()
    .get(`${mr}/changes`)
    .reply(200, mergeRequest({ sha: 'b'.repeat(40), changes: [] }))
  expect(await one.run()).toMatchObject({ outcome: 'later' })
  expect(await one.pending()).toEqual(['d1'])
})

test('a merge that the service keeps refusing, though it says that it is mergeable, ends as blocked', async () => {
  const one = await makeOne(rule('{ accept: true }'))
  let refusals = 0
  readsProject()
  service().persist().get(mr).reply(200, mergeRequest())
  service()
    .persist()
    .put(`${mr}/merge`)
    .reply(405, () => {
      refusals++
      return { message: '405 Method Not Allowed' }
    })
  const outcomes: unknown[] = []
  for (let turn = 0; turn < 14; turn++) {
    outcomes.push((await one.run())?.outcome)
    one.clock.now += 2_000
  }
  expect([refusals, outcomes.at(0), outcomes.at(-1)]).toEqual([12, 'later', 'done'])
})
