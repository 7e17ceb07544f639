// What evaluate keeps to whatever happens meanwhile, in each store: a merge is of what was judged, a run that was overtaken saves nothing, and what is taken back is never limited.
import { expect, test } from 'vitest'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import { playService, service } from '../../client/world.ts'
import { bot, head, mergeRequest } from '../../rules/world.ts'
import { useStores } from '../stores.ts'
import { makeEvaluation, mr, reads } from './evaluate-world.ts'

playService()
const stores = useStores()
const makeOne = (text: string, newRuleLimit = 0) => makeEvaluation(text, { stores, policy: { newRuleLimit } })

test('a merge that the rule file asks for no more, which nobody told of, is not sent', async () => {
  const merges = '\n  - name: a\n    if: { draft: false }\n    then: { accept: { pipeline: none } }'
  const one = await makeOne(merges)
  const project = { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' }
  service().persist().get('/projects/1').reply(200, project)
  service()
    .get(mr)
    .reply(200, () => {
      one.commit(merges.replace('draft: false', 'draft: true'))
      return mergeRequest()
    })
  const sent = service().put(`${mr}/merge`).reply(200, {})
  reads({}, 2)
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(sent.isDone()).toBe(false)
  const answers = (await stores.journal.decisions({ mergeRequest: one.ref, limit: 9 })).items.flatMap(
    (each) => each.answers,
  )
  expect(answers).toMatchObject([{ result: 'moved', status: null }])
})

test('a merge of a head that was pushed past since is not sent, though the rules would merge the new head as well', async () => {
  const one = await makeOne('\n  - name: a\n    if: { draft: false }\n    then: { accept: true }')
  const sha = 'b'.repeat(40)
  const heads: unknown[] = []
  service().persist().get('/projects/1').reply(200, { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' })
  service()
    .put(`${mr}/merge`)
    .reply(200, (_uri, body) => {
      heads.push(typeof body === 'object' && 'sha' in body ? body.sha : body)
      return {}
    })
  reads()
  reads({ sha, head_pipeline: { id: 6, sha, ref: 'feature', status: 'success', source: 'push' } }, 3)
  reads({ state: 'merged' })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(heads).toEqual([sha])
  const answers = (await stores.journal.decisions({ mergeRequest: one.ref, limit: 9 })).items.flatMap(
    (each) => each.answers,
  )
  expect(answers.map(({ result, call }) => `${result} ${call.params.sha}`).sort()).toEqual([
    `done ${sha}`,
    `moved ${head}`,
  ])
})

test('a run that another has overtaken saves nothing over what that one remembers', async () => {
  const one = await makeOne('\n  - name: a\n    if: { draft: false }\n    then: { label: { while: x } }')
  // The first run reads, and stands still until the second has put the label on.
  service()
    .get(mr)
    .reply(200, async () => {
      reads({ draft: false })
      service().put(mr).reply(200, {})
      reads({ labels: ['x'] })
      expect(await one.run()).toEqual({ outcome: 'done' })
      return mergeRequest({ work_in_progress: true })
    })
  const taken = () => Promise.reject(new JobTakenOver('j'))
  await expect(one.run(one.clock.now, taken)).rejects.toThrow(JobTakenOver)
  expect(await one.memory()).toMatchObject({ heldLabels: ['x'], rules: { 'rules/test.yml#a': { held: true } } })
})

test('an approval of a new rule is taken back also when new rules have approved as often as they may', async () => {
  const one = await makeOne('\n  - name: a\n    if: { draft: false }\n    then: { approve: true }', 1)
  const approvals = (by: object[]) =>
    service().get(`${mr}/approvals`).reply(200, { approvals_left: 0, approved_by: by })
  reads()
  approvals([])
  service().post(`${mr}/approve`).reply(201, {})
  reads()
  approvals([{ user: bot }])
  expect(await one.run()).toEqual({ outcome: 'done' })
  reads({ work_in_progress: true })
  approvals([{ user: bot }])
  const back = service().post(`${mr}/unapprove`).reply(201, {})
  reads({ work_in_progress: true })
  approvals([])
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(back.isDone()).toBe(true)
  expect((await one.memory())?.approvedSha).toBeUndefined()
})

test('trouble with the service in the middle of the calls is the job’s to retry: what was done is remembered, and the event stays', async () => {
  const one = await makeOne(
    '\n  - name: a\n    on: merge_request.update\n    then: { label: { add: x }, subscribe: true, todo: true }',
  )
  await one.post('d1')
  reads()
  service().put(mr).reply(200, {})
  service().post(`${mr}/subscribe`).reply(401, { error: 'invalid_token' })
  await expect(one.run()).rejects.toMatchObject({ status: 401 })
  expect((await one.mail()).map(({ deliveryId }) => deliveryId)).toEqual(['d1'])
  // Once it is over, only what was not done is done.
  reads({ labels: ['x'] })
  service().post(`${mr}/subscribe`).reply(201, {})
  service().post(`${mr}/todo`).reply(201, {})
  reads({ labels: ['x'], subscribed: true })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.mail()).toEqual([])
})

test('a call that fails again and again does not take back an approval that the rules ask for', async () => {
  const one = await makeOne('\n  - name: a\n    if: { draft: false }\n    then: { approve: true, subscribe: true }')
  const approvals = (by: object[]) =>
    service().get(`${mr}/approvals`).reply(200, { approvals_left: 0, approved_by: by })
  reads()
  approvals([])
  service().post(`${mr}/approve`).reply(201, {})
  service().post(`${mr}/subscribe`).times(9).reply(500, {})
  reads()
  approvals([{ user: bot }])
  const back = service().post(`${mr}/unapprove`).reply(201, {})
  await expect(one.run(one.clock.now, async () => false, 3)).rejects.toMatchObject({ status: 500 })
  expect(back.isDone()).toBe(false)
  expect((await one.memory())?.approvedSha).toBe(head)
})

test('a service does not use up what new rules may do on another', async () => {
  const text = '\n  - name: a\n    if: { draft: false }\n    then: { approve: true }'
  for (const one of [await makeOne(text, 1), await makeOne(text, 1)]) {
    reads()
    service().get(`${mr}/approvals`).reply(200, { approvals_left: 0, approved_by: [] })
    const sent = service().post(`${mr}/approve`).reply(201, {})
    reads()
    service()
      .get(`${mr}/approvals`)
      .reply(200, { approvals_left: 0, approved_by: [{ user: bot }] })
    expect(await one.run()).toEqual({ outcome: 'done' })
    expect(sent.isDone()).toBe(true)
  }
})

test('an approval without a waiting merge is taken back where the rules cannot be decided, from the third attempt on', async () => {
  const one = await makeOne('\n  - name: a\n    if: { changed_files: { all: "docs/**" } }\n    then: { approve: true }')
  await stores.journal.saveMemory(one.ref, { rules: {}, pushes: [], approvedSha: head })
  service().persist().get(mr).reply(200, mergeRequest())
  service().persist().get(`${mr}/changes`).reply(500, {})
  service()
    .persist()
    .get(`${mr}/approvals`)
    .reply(200, { approvals_left: 0, approved_by: [{ user: bot }] })
  const back = service().post(`${mr}/unapprove`).reply(201, {})
  await expect(one.run(one.clock.now, async () => false, 2)).rejects.toMatchObject({ status: 500 })
  expect(back.isDone()).toBe(false)
  await expect(one.run(one.clock.now, async () => false, 3)).rejects.toMatchObject({ status: 500 })
  expect(back.isDone()).toBe(true)
  expect((await one.memory())?.approvedSha).toBeUndefined()
})

test('a merge is not sent while what had to be set before it is not seen to be set', async () => {
  const one = await makeOne(
    '\n  - name: a\n    if: { draft: false }\n    then: { accept: { pipeline: none, squash: true } }',
  )
  service().persist().get('/projects/1').reply(200, { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' })
  // The service answers the update, and goes on to show what was there before.
  service()
    .persist()
    .get(mr)
    .reply(200, mergeRequest({ squash: false }))
  service().persist().put(mr).reply(200, {})
  const sent = service().persist().put(`${mr}/merge`).reply(200, {})
  await one.run()
  const answers = (await stores.journal.decisions({ mergeRequest: one.ref, limit: 9 })).items.flatMap(
    (each) => each.answers,
  )
  expect(answers.map(({ call, result }) => `${call.endpoint} ${result}`)).toContain('mergeRequests.accept moved')
  expect(sent.isDone()).toBe(false)
})

test('a withdrawal that could not be decided is tried again at each later attempt', async () => {
  const one = await makeOne('\n  - name: a\n    if: { changed_files: { all: "docs/**" } }\n    then: { approve: true }')
  await stores.journal.saveMemory(one.ref, { rules: {}, pushes: [], approvedSha: head })
  let isAway = true
  service()
    .persist()
    .get(mr)
    .reply(() => (isAway ? [500, {}] : [200, mergeRequest()]))
  service().persist().get(`${mr}/changes`).reply(500, {})
  service()
    .persist()
    .get(`${mr}/approvals`)
    .reply(200, { approvals_left: 0, approved_by: [{ user: bot }] })
  const back = service().post(`${mr}/unapprove`).reply(201, {})
  await expect(one.run(one.clock.now, async () => false, 3)).rejects.toMatchObject({ status: 500 })
  expect(back.isDone()).toBe(false)
  isAway = false
  await expect(one.run(one.clock.now, async () => false, 4)).rejects.toMatchObject({ status: 500 })
  expect(back.isDone()).toBe(true)
})

test('a run that loses its job while it takes back what Bellhop holds sends no further call and saves nothing', async () => {
  const one = await makeOne('\n  - name: a\n    if: { changed_files: { all: "docs/**" } }\n    then: { approve: true }')
  await stores.journal.saveMemory(one.ref, { rules: {}, pushes: [], approvedSha: head, waitingSha: head })
  service()
    .persist()
    .get(mr)
    .reply(200, mergeRequest({ merge_when_pipeline_succeeds: true }))
  service().persist().get(`${mr}/changes`).reply(500, {})
  service()
    .persist()
    .get(`${mr}/approvals`)
    .reply(200, { approvals_left: 0, approved_by: [{ user: bot }] })
  const sent: string[] = []
  const other = { rules: {}, pushes: [], approvedSha: 'c'.repeat(40) }
  const answerTo = (call: string) => async () => {
    sent.push(call)
    // Another run has the job by now, and remembers something else.
    await stores.journal.saveMemory(one.ref, other)
    return {}
  }
  service().post(`${mr}/unapprove`).reply(201, answerTo('unapprove'))
  service().put(`${mr}/cancel_merge_when_pipeline_succeeds`).reply(200, answerTo('cancel'))
  const claim = async () => {
    if (sent.length > 0) throw new JobTakenOver('j')
    return false
  }
  await expect(one.run(one.clock.now, claim, 3)).rejects.toThrow(JobTakenOver)
  expect(sent).toHaveLength(1)
  expect(await one.memory()).toEqual(other)
})

test('an event stays while what its rule needs was read of another version of the merge request', async () => {
  const one = await makeOne(
    '\n  - name: a\n    on: merge_request.update\n    if: { changed_files: { any: "docs/**" } }\n    then: { subscribe: true }',
  )
  await one.post('d1')
  service().persist().get(mr).reply(200, mergeRequest())
  service()
    .persist()
    .get(`${mr}/changes`)
    .reply(200, mergeRequest({ sha: 'b'.repeat(40), changes: [] }))
  expect(await one.run()).toMatchObject({ outcome: 'later' })
  expect((await one.mail()).map(({ deliveryId }) => deliveryId)).toEqual(['d1'])
})
