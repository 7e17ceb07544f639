// Act sends a decision's calls in order, stops where the rest would be wrong, and keeps the outcomes so far.
import { describe, expect, test } from 'vitest'
import { act } from '../../../src/bot/evaluation/act.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import { JobTakenOver, QueueUnavailable } from '../../../src/queue/errors.ts'
import type { Call, Decision } from '../../../src/rules/types.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { silent } from '../stores.ts'

playService()

const ref = { id: 7, merge_request_iid: 2 }
const label: Call = { action: 'label', endpoint: 'mergeRequests.update', params: { ...ref, labels: 'a' }, rules: ['r'] }
const approve: Call = {
  action: 'approve',
  endpoint: 'mergeRequests.approve',
  params: { ...ref, sha: 'a'.repeat(40) },
  rules: ['r'],
}
const accept: Call = {
  action: 'accept',
  endpoint: 'mergeRequests.accept',
  params: { ...ref, sha: 'a'.repeat(40) },
  rules: ['r'],
  revalidate: true,
}

const mr = '/projects/7/merge_requests/2'

type Checkpoint = Parameters<typeof act>[1]['checkpoint']

function run(
  calls: Call[],
  isStillDecided: (call: Call) => Promise<boolean> = async () => true,
  checkpoint: Checkpoint = async () => {},
  claim = async () => false,
) {
  const decision: Decision = { rules: [], calls, responses: [], head: null, files: [] }
  return act(decision, { client: makeClient().client, isStillDecided, checkpoint, claim, now: () => 0, log: silent })
}

const results = ({ responses }: Awaited<ReturnType<typeof act>>) =>
  responses.map(({ result, status }) => [result, status])

test('calls are sent in order, each with its response', async () => {
  service().put(mr).reply(200, { iid: 2 })
  service().post(`${mr}/approve`).reply(201, { iid: 2 })
  const acted = await run([label, approve])
  expect(results(acted)).toEqual([
    ['done', 200],
    ['done', 201],
  ])
  expect(acted.stopped).toBeUndefined()
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
  await run([label, approve], undefined, async (responses) => kept.push(responses.map(({ result }) => result).join()))
  expect(kept).toEqual(['ambiguous', 'sent', 'done', 'done,ambiguous', 'sent', 'done,done'])
})

test('a call that could not be saved is not sent', async () => {
  const unavailable = new Error('the journal is away')
  const acted = await run([label], undefined, () => Promise.reject(unavailable))
  expect(acted).toEqual({ responses: [], stopped: { by: unavailable } })
})

test('a refused call does not stop the others', async () => {
  service().put(mr).reply(403, { message: '403 Forbidden' })
  service().post(`${mr}/approve`).reply(201, { iid: 2 })
  const acted = await run([label, approve])
  expect(results(acted)).toEqual([
    ['refused', 403],
    ['done', 201],
  ])
  expect(acted.responses[0]?.message).toContain('403 Forbidden')
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

test('an ambiguous call makes the job retry', async () => {
  service().put(`${mr}/merge`).reply(500, { message: 'no' })
  const { stopped } = await run([accept])
  expect(stopped?.by).toMatchObject({ kind: 'failing', status: 500, mayHaveBeenApplied: true })
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
  await expect(run([label, approve], undefined, undefined, claim)).rejects.toThrow(JobTakenOver)
  expect(seen).toEqual(sent)
})

test('a queue that does not answer ends the run; nothing is sent or ambiguous', async () => {
  const sent = service().put(mr).reply(200, {})
  const away = new QueueUnavailable('away')
  const acted = await run([label], undefined, undefined, async () => {
    throw away
  })
  expect(acted).toEqual({ responses: [], stopped: { by: away } })
  expect(sent.isDone()).toBe(false)
})

describe('a bound call', () => {
  test('is not sent when the evaluated state has changed', async () => {
    const sent = service().put(`${mr}/merge`).reply(200, {})
    expect(results(await run([accept], async () => false))).toEqual([['moved', null]])
    expect(sent.isDone()).toBe(false)
  })

  test('is sent when it still holds; other calls are not checked', async () => {
    service().put(mr).reply(200, { iid: 2 })
    service().put(`${mr}/merge`).reply(200, { iid: 2, state: 'merged' })
    const asked: string[] = []
    const acted = await run([label, accept], async (call) => {
      asked.push(call.action)
      return true
    })
    expect(asked).toEqual(['accept'])
    expect(results(acted).at(-1)).toEqual(['done', 200])
  })

  test('is sent right after the check; it is saved as ambiguous before', async () => {
    service().put(`${mr}/merge`).reply(200, { iid: 2, state: 'merged' })
    const order: string[] = []
    const isStillDecided = async () => {
      order.push('read again')
      return true
    }
    await run([accept], isStillDecided, async (responses) => void order.push(`kept as ${responses.at(-1)?.result}`))
    expect(order).toEqual(['kept as ambiguous', 'read again', 'kept as done'])
  })

  test('is not sent when the claim asked the queue after the check, which may be old', async () => {
    const sent = service().put(`${mr}/merge`).reply(200, {})
    let read = false
    const isStillDecided = async () => {
      read = true
      return true
    }
    const kept: unknown[] = []
    const acted = await run(
      [accept, label],
      isStillDecided,
      async (responses) => void kept.push(responses.at(-1)?.result),
      async () => read,
    )
    expect(results(acted)).toEqual([['moved', null]])
    expect(kept).toEqual(['ambiguous', 'moved'])
    expect(sent.isDone()).toBe(false)
  })

  test('is sent when the claim asked the queue before the check', async () => {
    service().put(`${mr}/merge`).reply(200, { iid: 2, state: 'merged' })
    const order: string[] = []
    const claim = async () => {
      const asks = !order.includes('asked')
      if (asks) order.push('asked')
      return asks
    }
    const isStillDecided = async () => order.push('read again') > 0
    expect(results(await run([accept], isStillDecided, undefined, claim))).toEqual([['done', 200]])
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
    const sent = service().put(`${mr}/merge`).reply(200, {})
    const away = new ServiceError({
      kind: 'failing',
      status: 500,
      target: { name: 'mergeRequests.get', method: 'GET' },
      path: mr,
      mayHaveBeenApplied: false,
    })
    const acted = await run([accept], () => Promise.reject(away))
    expect(acted).toEqual({ responses: [], stopped: { by: away } })
    expect(sent.isDone()).toBe(false)
  })
})

test.each<[string, (scope: ReturnType<typeof service>) => unknown]>([
  ['a bad token', (scope) => scope.post(`${mr}/approve`).reply(401, { error: 'invalid_token' })],
  ['a redirect', (scope) => scope.post(`${mr}/approve`).reply(301, '', { location: 'http://elsewhere/' })],
])('%s stops the rest and keeps the outcomes so far', async (_name, answer) => {
  service().put(mr).reply(200, { iid: 2 })
  answer(service())
  const acted = await run([label, approve, label])
  expect(results(acted)).toEqual([['done', 200]])
  expect(acted.stopped).toBeDefined()
})

test('an invalid call stops the rest and keeps the outcomes so far', async () => {
  service().put(mr).reply(200, { iid: 2 })
  const acted = await run([label, { ...label, endpoint: 'mergeRequests.fly' as Call['endpoint'] }])
  expect(results(acted)).toEqual([['done', 200]])
  expect(acted.stopped).toBeDefined()
})
