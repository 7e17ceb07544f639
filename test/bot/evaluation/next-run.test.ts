// When a merge request is evaluated again, by the outcomes of a decision.
import { nextRun, oldestUnseen, waitedSince } from '../../../src/bot/evaluation/next-run.ts'
import type { PendingEvent } from '../../../src/journal/types.ts'
import { leaveCall } from '../../../src/rules/actions/definition/queued-merge.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Call, CallResponse, Decision } from '../../../src/rules/types.ts'

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
