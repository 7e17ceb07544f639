// Evaluate on a real journal: what it remembers between calls, after a lost response, and of pending events.
import { createHeavyProjects, nextRun, oldestUnseen, waitedSince } from '../../../src/bot/evaluation/evaluate.ts'
import type { PendingEvent } from '../../../src/journal/types.ts'
import { leaveCall } from '../../../src/rules/actions/definition/queued-merge.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Call, CallResponse, Decision } from '../../../src/rules/types.ts'
import { playService, service } from '../../client/world.ts'
import { mergeRequest } from '../../rules/world.ts'
import { serves } from '../service-answers.ts'
import { useStores } from '../stores.ts'
import { type EvaluateWorld, makeEvaluation, mr, reads, readsProject, rule } from './evaluate-world.ts'

playService()
const stores = useStores()

const spent = (seconds: number) => ({ time_stats: { time_estimate: 0, total_time_spent: seconds } })
const makeOne = (text: string, given: Omit<Partial<EvaluateWorld>, 'stores'> = {}) =>
  makeEvaluation(text, { stores, ...given })

test('each call is remembered before the next is sent', async () => {
  const one = await makeOne(rule('{ label: { add: x }, subscribe: true }'))
  const seen: unknown[] = []
  const done = async () => (await one.memory())?.rules['rules/test.yml#a']?.done
  reads()
  service()
    .put(mr)
    .reply(200, async () => {
      seen.push(await done())
      return {}
    })
  service()
    .post(`${mr}/subscribe`)
    .reply(201, async () => {
      seen.push(await done())
      return {}
    })
  reads({ labels: ['x'], subscribed: true })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect([...seen, await done()]).toEqual([[], ['label'], ['label', 'subscribe']])
})

test('an event that comes during an evaluation stays pending for the next one', async () => {
  const one = await makeOne(rule('{ subscribe: true }'))
  await one.addEvent('d1')
  serves(mr, async () => {
    await one.addEvent('d2')
    return mergeRequest({ subscribed: true })
  })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.pending()).toEqual(['d2'])
  reads({ subscribed: true })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.pending()).toEqual([])
})

test('pending events stay while an event rule may need them, and go while only a state is awaited', async () => {
  const one = await makeOne(
    rule('{ accept: { pipeline: none } }') + rule('{ spend: 15m }', 'on: merge_request.update', 'b'),
  )
  await one.addEvent('d1')
  const checking = { merge_status: 'checking' }
  reads({ ...checking, ...spent(0) })
  readsProject()
  service().post(`${mr}/add_spent_time`).reply(502)
  await expect(one.run()).rejects.toMatchObject({ status: 502 })
  reads({ ...checking, ...spent(0) })
  expect(await one.run()).toMatchObject({ outcome: 'later' })
  expect(await one.pending()).toHaveLength(1)
  reads({ ...checking, ...spent(900) })
  expect(await one.run()).toEqual({ outcome: 'later', delayMs: 2_000, reason: expect.any(String) })
  expect(await one.pending()).toEqual([])
})

test('the wait for a status grows, and an event resets it, however old the job is', async () => {
  const one = await makeOne(rule('{ accept: { pipeline: none } }'))
  const addedAt = one.clock.now
  const waits = async (seconds: number) => {
    one.clock.now += seconds * 1_000
    reads({ merge_status: 'checking' })
    readsProject()
    const result = await one.run({ addedAt })
    return result.outcome === 'later' ? result.delayMs / 1_000 : result
  }
  expect([await waits(0), await waits(20), await waits(3_600)]).toEqual([2, 10, 300])
  await one.addEvent('d1')
  expect([await waits(0), await waits(1), await waits(19)]).toEqual([2, 2, 10])
  await one.addEvent('d2')
  expect(await waits(0)).toBe(2)
})

test('the memory of a merged or closed merge request is deleted, unless a reopened one may need a withdrawal', async () => {
  const [merged, closed, holding] = await Promise.all(
    ['', '', ''].map(() => makeOne(rule('{ label: { while: x } }', 'if: { state: opened }'))),
  )
  if (!merged || !closed || !holding) throw new Error('no merge request was made')
  const monthLater = new Date(Date.now() + 31 * 24 * 60 * 60_000)
  await stores.journal.mergeRequests.save(holding.ref, { memory: { rules: {}, pushes: [], of: { label: ['x'] } } })
  for (const [one, state] of [
    [merged, 'merged'],
    [closed, 'closed'],
  ] as const) {
    reads({ state })
    expect(await one.run()).toEqual({ outcome: 'done' })
    await one.journal.prune(monthLater)
    expect(await one.memory()).toBeUndefined()
  }
  reads({ state: 'closed', labels: ['x'] })
  service().put(mr).reply(403, { message: '403 Forbidden' })
  await holding.run()
  await holding.journal.prune(monthLater)
  expect(await holding.memory()).toMatchObject({ of: { label: ['x'] } })
})

test('the patterns of all decisions of an evaluation share one budget', async () => {
  const heavy = rule('{ subscribe: true }', 'if: { description: { matches: "[a-m].{0,350}z[!-/]$" } }', 'heavy')
  const one = await makeEvaluation(`${rule('{ label: { add: x } }')}${heavy}`, { stores })
  reads({ description: 'abcdefghijklm '.repeat(90) })
  service()
    .put(mr)
    .reply(200, mergeRequest({ labels: ['x'] }))
  reads({ description: 'abcdefghijkml '.repeat(90), labels: ['x'] })
  expect(await one.run()).toEqual({ outcome: 'done' })
  // Its project has turns from then on.
  expect(await one.run()).toMatchObject({ outcome: 'later', delayMs: 1000 })
})

test('a project whose patterns exceed their budget waits for its turn from then on, and no other', async () => {
  const heavy = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      rule('{ label: { add: x } }', `if: { description: { matches: "${index}[a-m].{0,350}z$" } }`, `r${index}`),
    ).join('')
  const description = 'abcdefghijklm '.repeat(60)
  const light = await makeOne(heavy(1))
  reads({ description }, 2)
  expect([await light.run(), await light.run()]).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
  const one = await makeOne(heavy(12))
  reads({ description })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.run()).toMatchObject({ outcome: 'later', delayMs: 1000 })
})

const call: Call = { to: 'service', endpoint: 'mergeRequests.subscribe', params: {}, action: 'subscribe', rules: [] }
const decided = (results: CallResponse['result'][], againInMs?: number): Decision => ({
  ...{ rules: [], calls: [], head: null, files: [] },
  responses: results.map((result) => ({ call, result, status: null, at: '2026-01-11T00:00:00Z', tookMs: 1 })),
  ...(againInMs === undefined ? {} : { againInMs }),
})
const minutes = (count: number) => count * 60_000

describe('the next run', () => {
  it.each<[CallResponse['result'][], ReturnType<typeof nextRun>]>([
    [[], { outcome: 'done' }],
    [['done'], 'evaluate_again'],
    [['dropped'], 'evaluate_again'],
    [['already', 'refused'], { outcome: 'done' }],
    [['moved'], 'evaluate_again'],
    [['done', 'not_now'], { outcome: 'later', delayMs: 1_000, reason: 'not_now' }],
  ])('after %j', (results, expected) => {
    expect(nextRun(decided(results), emptyMemory(), { waitedMs: 0 })).toEqual(expected)
  })
  it.each([
    ['as soon as the decision asks', 0, 2_000],
    ['after half of the time waited so far', 20_000, 10_000],
    ['after half of it in whole milliseconds, as queues count', 20_001, 10_001],
    ['after five minutes at most', minutes(60), minutes(5)],
  ])('of a wait is %s', (_when, waited, delayMs) => {
    expect(nextRun(decided([], 2_000), emptyMemory(), { waitedMs: waited })).toMatchObject({
      outcome: 'later',
      delayMs,
    })
  })
  it('after a call to the merge queue is its own event: no fact changed', () => {
    const leave = { ...call, ...leaveCall({ id: 7, merge_request_iid: 2 }) }
    const decision = decided(['done', 'done'])
    const responses = decision.responses.map((response) => ({ ...response, call: leave }))
    expect(nextRun({ ...decision, responses }, emptyMemory(), { waitedMs: 0 })).toEqual({ outcome: 'done' })
    const mixed = { ...decision, responses: [...responses.slice(1), ...decision.responses] }
    expect(nextRun(mixed, emptyMemory(), { waitedMs: 0 })).toBe('evaluate_again')
  })
  it('after a merge is its own event', () => {
    expect(nextRun(decided(['done']), emptyMemory(), { waitedMs: 0, merged: true })).toEqual({ outcome: 'done' })
  })
  it('after a lost response does not wait longer and longer', () => {
    const pending = { call, at: '2026-01-11T00:00:00Z', earlier: [], ifDone: emptyMemory() }
    expect(nextRun(decided([], 2_000), { ...emptyMemory(), pending }, { waitedMs: minutes(60) })).toMatchObject({
      delayMs: 2_000,
    })
  })
})

describe('pending events', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const event = (deliveryId: string, seconds: number, more: Partial<PendingEvent> = {}): PendingEvent => ({
    ...{ seq: seconds, deliveryId, event: { kind: 'push', actor: {}, at: at(seconds) } },
    ...more,
  })
  const seen = (delivery: string) => ({ ...emptyMemory(), waits: { since: 5, delivery } })
  it('begin the wait anew where the newest was not seen', () => {
    expect(waitedSince(seen('d1'), [event('d1', 1), event('d2', 2)], 9)).toEqual({ since: 9, delivery: 'd2' })
    expect(waitedSince(seen('d1'), [event('d1', 1)], 9)).toEqual({ since: 5, delivery: 'd1' })
    expect(waitedSince(seen('d1'), [], 9)).toEqual({ since: 5, delivery: 'd1' })
  })
  it('have waited since the oldest that was not seen, which is no replay', () => {
    const replay = event('d2', 2, { replay: { of: 'delivery', id: 'd2', number: 1 } })
    const events = [event('d1', 1), replay, event('d3', 3), event('d4', 4)]
    expect(oldestUnseen(seen('d1'), events)).toBe(3_000)
    expect(oldestUnseen(emptyMemory(), events)).toBe(1_000)
    expect(oldestUnseen(seen('d4'), events)).toBeUndefined()
  })
})

const clock = () => {
  const at = { now: 1_000 }
  const heavy = createHeavyProjects(() => at.now)
  return { at, heavy, waitOf: (iid: number, project = 7) => heavy.waitMs({ project, iid }) }
}

test('each merge request of a heavy project has a turn of its own, and keeps it', () => {
  const { at, heavy, waitOf } = clock()
  expect(waitOf(1)).toBe(0)
  heavy.add(7)
  expect([1, 2, 3].map((iid) => waitOf(iid))).toEqual([1000, 2000, 3000])
  at.now += 1_600
  expect([1, 2, 3].map((iid) => waitOf(iid))).toEqual([0, 400, 1400])
  // It has had its turn.
  expect(waitOf(1)).toBe(2400)
})

test('another project waits for nothing', () => {
  const { heavy, waitOf } = clock()
  heavy.add(7)
  expect(waitOf(1, 8)).toBe(0)
})

test('a project is heavy for a minute after the last time', () => {
  const { at, heavy, waitOf } = clock()
  heavy.add(7)
  at.now += 59_999
  heavy.add(7)
  at.now += 59_999
  expect([waitOf(1), waitOf(2)]).toEqual([0, 1_000])
  at.now += 60_000
  expect([waitOf(1), waitOf(2)]).toEqual([0, 0])
})
