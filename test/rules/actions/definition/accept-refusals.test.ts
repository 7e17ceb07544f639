// A merge that the service refuses again and again, though its state allows it.

import { describe, expect, it } from 'vitest'
import { callData } from '../../../../src/api/call-data.ts'
import {
  acceptMemory,
  endlessRefusal,
  endlessTrain,
  MOST_REFUSALS,
  memoryAfterRefusal,
} from '../../../../src/rules/actions/definition/accept-memory.ts'
import { emptyMemory, rememberCalls } from '../../../../src/rules/engine/update-memory.ts'
import type { CallResponse, Memory } from '../../../../src/rules/types.ts'
import { overTime, whileOn } from '../../over-time.ts'
import { answer, answers, decideRule, head } from '../../world.ts'

const at = '2026-01-11T00:00:00Z'
const accept = (sha = head, more = {}) =>
  callData('mergeRequests.accept', { id: 1, merge_request_iid: 7, sha, ...more })
const refusal = (call = accept()): CallResponse => ({
  call: { to: 'service', ...call, action: 'accept', rules: [] },
  ...{ status: 405, result: 'not_now', at, tookMs: 1 },
})
const refusedBefore = (times: number, call = accept()): Memory =>
  Array.from({ length: times }).reduce<Memory>((memory) => memoryAfterRefusal(memory, refusal(call)), emptyMemory())

describe('an endless refusal', () => {
  it.each<[string, number, ReturnType<typeof accept>, string, boolean]>([
    ['is none at first', MOST_REFUSALS - 1, accept(), at, false],
    ['is one after so many times', MOST_REFUSALS, accept(), at, true],
    ['is none for another head', MOST_REFUSALS, accept('b'.repeat(40)), at, false],
    ['is none for a merge that waits', MOST_REFUSALS, accept(head, { merge_when_pipeline_succeeds: true }), at, false],
    ['is none ten minutes later', MOST_REFUSALS, accept(), '2026-01-11T00:10:00Z', false],
  ])('%s', (_, times, call, now, expected) => {
    expect(endlessRefusal(call, refusedBefore(times), now) !== undefined).toBe(expected)
  })
  it('begins anew with another head', () => {
    const moved = memoryAfterRefusal(refusedBefore(MOST_REFUSALS), refusal(accept('b'.repeat(40))))
    expect(acceptMemory(moved).refusedMerge).toMatchObject({ sha: 'b'.repeat(40), times: 1 })
  })
  it('says why', () => {
    expect(endlessRefusal(accept(), refusedBefore(MOST_REFUSALS), at)).toBe(
      'the service refused it 12 times (405), though it shows nothing that blocks it: it may allow merges by a merge train only, or have a check that it does not show',
    )
    const train = { ...accept(), endpoint: 'mergeTrains.add' as const }
    expect(endlessRefusal(train, refusedBefore(MOST_REFUSALS, train), at)).toMatch(/: it may have a check that it does/)
    const later = accept(head, { merge_when_pipeline_succeeds: true })
    expect(endlessRefusal(later, refusedBefore(MOST_REFUSALS, later), at)).toContain('GitLab 17.4 or newer')
  })
})

it('accept is blocked by it, and asks the service no more', () => {
  const responses = Array.from({ length: MOST_REFUSALS }).map(() => refusal())
  const memory = rememberCalls(emptyMemory(), responses)
  const decision = decideRule('{ author: alice }', '{ accept: true }', { answers: answers(), memory, now: at })
  expect(decision.calls).toEqual([])
  expect(decision.rules[0]?.actions).toMatchObject([{ result: 'blocked' }])
  expect(decision.againInMs).toBeUndefined()
})

describe('a merge train that lets it go again and again', () => {
  const trains = { project: answer({ merge_trains_enabled: true, merge_pipelines_enabled: true }) }
  const add = (sha = head) => [['mergeTrains.add', { sha }]]
  /** Adds it as often as it may, and each time the train lets it go. */
  const added = (rule: string) => {
    const mr = overTime({ labels: ['on'] }, trains)
    for (let time = 0; time < 3; time++) {
      expect(mr.sends([rule])).toEqual(add())
      mr.person({ merge_when_pipeline_succeeds: false })
      mr.source('mergeTrain', { status: 'none' })
    }
    return mr
  }
  const withoutPipeline = whileOn('{ accept: { pipeline: none } }')

  it('gets a head without a pipeline of its own three times, and another head anew', () => {
    const mr = added(withoutPipeline)
    expect(mr.sends([withoutPipeline])).toEqual([])
    mr.person({ sha: 'b'.repeat(40) })
    expect(mr.sends([withoutPipeline])).toEqual(add('b'.repeat(40)))
  })
  it('counts as one that refuses it', () => {
    const addition = callData('mergeTrains.add', { id: 1, merge_request_iid: 7, sha: head })
    const once = { ...emptyMemory(), of: { accept: { addedToTrain: { sha: head, times: 1 } } } }
    const refused = memoryAfterRefusal(memoryAfterRefusal(once, refusal(addition)), refusal(addition))
    expect(endlessTrain({ pipeline: 'none' }, once, head)).toBeUndefined()
    expect(endlessTrain({ pipeline: 'none' }, refused, head)).toMatch(/did not keep this head in 3 tries/)
    expect(memoryAfterRefusal(emptyMemory(), refusal(addition))).not.toHaveProperty('of.accept.addedToTrain')
    expect(acceptMemory(memoryAfterRefusal(once, refusal())).addedToTrain).toEqual({ sha: head, times: 1 })
  })
  it('is the reason', () => {
    const { memory } = added(withoutPipeline)
    const decision = decideRule('{ author: alice }', '{ accept: { pipeline: none } }', {
      answers: answers({}, trains),
      memory,
    })
    expect(decision.rules[0]?.actions).toMatchObject([
      {
        result: 'blocked',
        detail:
          'the merge train did not keep this head in 3 tries, which its system notes explain: push a change, or add it yourself',
      },
    ])
  })
  it('is none where Bellhop itself took it off', () => {
    const mr = overTime({}, trains)
    for (let time = 0; time < 4; time++) {
      mr.person({ labels: ['on'] })
      expect(mr.sends([withoutPipeline])).toEqual(add())
      mr.person({ labels: [] })
      expect(mr.sends([withoutPipeline])).toEqual([['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]])
    }
  })
  it('is asked again where a pipeline of the head is required: that counts', () => {
    const rule = whileOn('{ accept: true }')
    expect(added(rule).sends([rule])).toEqual(add())
  })
})
