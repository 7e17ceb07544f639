// Act sends a decision's calls in order, stops where the rest would be wrong, and keeps the outcomes so far.
import type nock from 'nock'
import { type ActOptions, act } from '../../../src/bot/evaluation/act.ts'
import { CallRefused } from '../../../src/bot/notifications/chats.ts'
import { JobTakenOver, QueueUnavailable } from '../../../src/queue/errors.ts'
import { chatCall } from '../../../src/rules/actions/definition/action-calls.ts'
import { leaveCall } from '../../../src/rules/actions/definition/queued-merge.ts'
import type { Call, Decision } from '../../../src/rules/types.ts'
import { playService, service, serviceErrorOf } from '../../client/world.ts'
import { testQueues, useStores } from '../stores.ts'
import { type GivenContext, testContext } from '../test-context.ts'

playService()
const stores = useStores()

const ref = { id: 7, merge_request_iid: 2 }
const base = { to: 'service' as const, rules: ['r'] }
const label: Call = { ...base, action: 'label', endpoint: 'mergeRequests.update', params: { ...ref, labels: 'a' } }
const params = { ...ref, sha: 'a'.repeat(40) }
const approve: Call = { ...base, action: 'approve', endpoint: 'mergeRequests.approve', params }
const accept: Call = { ...base, action: 'accept', endpoint: 'mergeRequests.accept', params, revalidate: true }

const mr = '/projects/7/merge_requests/2'

function run(
  calls: Call[],
  { target, context = {}, ...given }: Partial<ActOptions> & { target?: string; context?: GivenContext } = {},
) {
  const decision: Decision = { rules: [], calls, responses: [], head: null, files: [], target }
  return act(testContext({ now: () => 0, ...context }), decision, {
    isStillDecided: async () => true,
    checkpoint: async () => {},
    claim: async () => false,
    ...given,
  })
}
/** The service merges. */
const merges = () => service().put(`${mr}/merge`).reply(200, { iid: 2, state: 'merged' })

const results = ({ responses }: Awaited<ReturnType<typeof act>>) =>
  responses.map(({ result, status }) => [result, status])

test('a call goes to the service, to the merge queue or to a chat, as it says', async () => {
  service().post(`${mr}/approve`).reply(201, { iid: 2 })
  const queues = testQueues(stores)
  const { journal } = stores
  const [mergeRequest, target] = [{ project: 7, iid: 2 }, 'main']
  const entry = { iid: 2, queue: 'main', target, head: 'a', since: 1, priority: 0, frozen: false }
  await journal.mergeQueues.saveEntry(mergeRequest, entry)
  const leave: Call = { ...leaveCall(ref), action: 'accept', rules: [] }
  const post: Call = { ...chatCall({ ...ref, to: 'team', text: 'Hello', key: 'k' }), action: 'notify', rules: ['r'] }
  const acted = await run([leave, approve, post], { context: { journal, queues } })
  expect(await journal.mergeQueues.entry(mergeRequest)).toBeUndefined()
  expect((await queues.chats.list(['waiting'], 0, 9)).map(({ data }) => data.text)).toEqual(['Hello'])
  expect(results(acted)).toEqual([
    ['done', 200],
    ['done', 201],
    ['done', 200],
  ])
})

test('each outcome is saved before the next call, and each call is saved as ambiguous before it is sent', async () => {
  const kept: string[] = []
  const note = (step: string) => {
    kept.push(step)
    return true
  }
  service()
    .put(mr, () => note('sent'))
    .reply(200, {})
  service()
    .post(`${mr}/approve`, () => note('sent'))
    .reply(201, {})
  await run([label, approve], {
    checkpoint: async (responses) => kept.push(responses.map(({ result }) => result).join()),
  })
  expect(kept).toEqual(['ambiguous', 'sent', 'done,ambiguous', 'sent'])
})

test('a call that could not be saved is not sent', async () => {
  const unavailable = new Error('the journal is away')
  const acted = await run([label], { checkpoint: () => Promise.reject(unavailable) })
  expect(acted).toEqual({ responses: [], stopped: { by: unavailable } })
})

test('a withdrawal that cannot be made now does not hold back the next one', async () => {
  const endpoint = 'mergeRequests.cancelMergeWhenPipelineSucceeds'
  const cancelled: Call = { ...accept, endpoint, params: ref, rules: [], revalidate: undefined }
  const unapprove: Call = { ...approve, endpoint: 'mergeRequests.unapprove', params: ref, rules: [] }
  service().post(`${mr}/cancel_merge_when_pipeline_succeeds`).reply(406, { message: '406 Not Acceptable' })
  service().post(`${mr}/unapprove`).reply(201, { iid: 2 })
  expect(results(await run([cancelled, unapprove]))).toEqual([
    ['not_now', 406],
    ['done', 201],
  ])
})

test('a call of which the service left out a part, or that changed nothing, is no plain success', async () => {
  const asked = { params: { ...ref, reviewer_ids: [3, 4] }, memo: { 'user 4': 'dora' } }
  const review: Call = { ...label, action: 'review', ...asked }
  service()
    .put(mr)
    .reply(200, { iid: 2, reviewers: [{ id: 3 }] })
  service().post(`${mr}/subscribe`).reply(304)
  const subscribe: Call = { ...label, action: 'subscribe', endpoint: 'mergeRequests.subscribe', params: ref }
  const acted = await run([review, subscribe])
  expect(results(acted)).toEqual([
    ['dropped', 200],
    ['already', 304],
  ])
  expect(acted.responses[0]?.dropped).toEqual({ review: expect.stringContaining('dora') })
})

test('of an answer stays what the action remembers', async () => {
  service()
    .post('/projects/7/merge_requests')
    .reply(201, { iid: 9, sha: 'b'.repeat(40), title: 'Backport' })
  const params = { id: 7, source_branch: 'backport/2-to-next', target_branch: 'next', title: 'Backport' }
  const acted = await run([
    { action: 'backport', to: 'service', endpoint: 'mergeRequests.create', params, rules: ['r'] },
  ])
  expect(acted.responses[0]?.created).toEqual({ iid: 9, sha: 'b'.repeat(40) })
})

test('a refused call does not stop the others, whether the service refuses it or Bellhop itself', async () => {
  const refused = serviceErrorOf({ status: 403, serviceMessage: 'no' })
  for (const [error, status] of [
    [refused, 403],
    [new CallRefused('no'), null],
  ] as const) {
    const sends = async (endpoint: string) => {
      if (endpoint === label.endpoint) throw error
      return { status: 201, body: null }
    }
    const acted = await run([label, approve], { context: { client: { send: sends } } })
    expect(results(acted)).toEqual([
      ['refused', status],
      ['done', 201],
    ])
    expect(acted.responses[0]?.message).toContain('no')
  }
})

test.each([
  ['the head moved', 409, 'moved'],
  ['it cannot be merged now', 405, 'not_now'],
  ['the service fails and may have applied the call', 500, 'ambiguous'],
  ['the service timed out and may have applied the call', 408, 'ambiguous'],
])('later calls are not sent when %s', async (_name, status, result) => {
  service().put(`${mr}/merge`).reply(status, { message: 'no' })
  const follows = service().put(mr).reply(200, {})
  expect(results(await run([accept, label]))).toEqual([[result, status]])
  expect(follows.isDone()).toBe(false)
})

test.each([
  ['before the first', 0, []],
  ['between two', 1, ['label']],
])('a run that lost its job sends no further call: %s', async (_name, claims, sent) => {
  const seen: string[] = []
  const note = (which: string) => () => seen.push(which) > 0
  service().put(mr, note('label')).reply(200, {})
  service().post(`${mr}/approve`, note('approve')).reply(201, {})
  let left = claims
  const claim = async () => {
    left -= 1
    if (left < 0) throw new JobTakenOver('j')
    return false
  }
  await expect(run([label, approve], { claim })).rejects.toThrow(JobTakenOver)
  expect(seen).toEqual(sent)
})

test('a queue that does not answer ends the run; nothing is sent or ambiguous', async () => {
  const sent = service().put(mr).reply(200, {})
  const away = new QueueUnavailable('away')
  const acted = await run([label], { claim: () => Promise.reject(away) })
  expect(acted).toEqual({ responses: [], stopped: { by: away } })
  expect(sent.isDone()).toBe(false)
})

describe('a bound call', () => {
  test('is not sent when the evaluated state has changed', async () => {
    const sent = merges()
    expect(results(await run([accept], { isStillDecided: async () => false }))).toEqual([['moved', null]])
    expect(sent.isDone()).toBe(false)
  })

  test('is sent when the rules still lead to it; other calls are not checked', async () => {
    service().put(mr).reply(200, { iid: 2 })
    merges()
    const asked: string[] = []
    const acted = await run([label, accept], { isStillDecided: async ({ action }) => asked.push(action) > 0 })
    expect(asked).toEqual(['accept'])
    expect(results(acted).at(-1)).toEqual(['done', 200])
  })

  test.each([
    ['merged', { mergedInto: 'release', merged: true }],
    ['opened', {}],
  ])('whose response names another target branch than was evaluated is not plainly done: %s', async (state, said) => {
    const target_branch = 'release'
    service().put(`${mr}/merge`).reply(200, { iid: 2, state, target_branch })
    const { responses, ...rest } = await run([accept], { target: 'main' })
    expect(rest).toEqual(said)
    expect(responses).toMatchObject([
      { result: 'dropped', message: 'its target branch is release, and main was evaluated', dropped: {} },
    ])
    service().put(`${mr}/merge`).reply(200, { iid: 2, state, target_branch })
    expect(results(await run([accept], { target: 'release' }))).toEqual([['done', 200]])
  })

  test('is sent right after the check; it is saved as ambiguous before', async () => {
    merges()
    const order: string[] = []
    await run([accept], {
      isStillDecided: async () => order.push('read again') > 0,
      checkpoint: async (responses) => order.push(`kept as ${responses.at(-1)?.result}`),
    })
    expect(order).toEqual(['kept as ambiguous', 'read again'])
  })

  test('is not sent when the claim asked the queue after the check, which may be old', async () => {
    const sent = merges()
    let read = false
    const kept: unknown[] = []
    const acted = await run([accept, label], {
      isStillDecided: async () => {
        read = true
        return true
      },
      checkpoint: async (responses) => kept.push(responses.at(-1)?.result),
      claim: async () => read,
    })
    expect(results(acted)).toEqual([['moved', null]])
    expect(kept).toEqual(['ambiguous'])
    expect(sent.isDone()).toBe(false)
  })

  test('is sent when the claim asked the queue before the check', async () => {
    merges()
    const order: string[] = []
    const claim = async () => {
      const asks = !order.includes('asked')
      if (asks) order.push('asked')
      return asks
    }
    const isStillDecided = async () => order.push('read again') > 0
    expect(results(await run([accept], { isStillDecided, claim }))).toEqual([['done', 200]])
    expect(order).toEqual(['asked', 'read again'])
  })

  test('is not resent after 429 without another evaluation; another call is', async () => {
    service().post(`${mr}/approve`).reply(429, '', { 'retry-after': '1' }).post(`${mr}/approve`).reply(201, { iid: 2 })
    const again = service().put(`${mr}/merge`).reply(429, '', { 'retry-after': '1' }).put(`${mr}/merge`).reply(200, {})
    const acted = await run([approve, accept])
    expect(results(acted)).toEqual([['done', 201]])
    expect(acted.stopped?.by).toMatchObject({ kind: 'rate_limited', endpoint: 'mergeRequests.accept' })
    expect(again.isDone()).toBe(false)
  })

  test('is not sent when the check fails', async () => {
    const sent = merges()
    const away = serviceErrorOf({ kind: 'failing', status: 500 })
    const acted = await run([accept], { isStillDecided: () => Promise.reject(away) })
    expect(acted).toEqual({ responses: [], stopped: { by: away } })
    expect(sent.isDone()).toBe(false)
  })
})

const unknownEndpoint = { ...label, endpoint: 'mergeRequests.fly' as Call['endpoint'] }
test.each<[string, Call, number, nock.Body, Record<string, string>]>([
  ['a bad token', approve, 401, { error: 'invalid_token' }, {}],
  ['a redirect', approve, 301, '', { location: 'http://elsewhere/' }],
  ['an invalid call', unknownEndpoint, 200, {}, {}],
])('%s stops the rest and keeps the outcomes so far', async (_name, call, status, body, headers) => {
  service().put(mr).reply(200, { iid: 2 })
  service().post(`${mr}/approve`).reply(status, body, headers)
  const acted = await run([label, call, label])
  expect(results(acted)).toEqual([['done', 200]])
  expect(acted.stopped).toBeDefined()
})
