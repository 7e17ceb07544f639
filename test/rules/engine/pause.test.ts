// What is blocked for a while, and what is made all the same.
import { describe, expect, it } from 'vitest'
import { holdBack, madeNow } from '../../../src/rules/engine/pause.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Call } from '../../../src/rules/types.ts'
import { input } from '../world.ts'

const label: Call = { endpoint: 'mergeRequests.update', params: { add_labels: 'x' }, action: 'label', rules: ['r'] }
const accept: Call = { endpoint: 'mergeRequests.accept', params: {}, action: 'accept', rules: ['r'] }
const unapprove: Call = { endpoint: 'mergeRequests.unapprove', params: {}, action: 'approve', rules: [] }
const cancel: Call = {
  endpoint: 'mergeRequests.cancelMergeWhenPipelineSucceeds',
  params: {},
  action: 'cancel_accept',
  rules: ['r'],
}
const all = [label, accept, unapprove, cancel]
const noEvent = () => undefined

describe('the calls that are made now', () => {
  it('are all, withdrawals first, where nothing holds them back', () => {
    expect(madeNow(all, holdBack(input([]), all, noEvent, undefined))).toEqual([unapprove, cancel, label, accept])
  })
  it('are withdrawals alone where Bellhop is turned off', () => {
    const held = holdBack(input([]), all, noEvent, 'it is off')
    expect(held.pause).toEqual({ reason: 'it is off', againInMs: [] })
    expect(madeNow(all, held)).toEqual([unapprove, cancel])
  })
  it('are withdrawals alone while a call whose response was lost is unsettled', () => {
    const pending = { call: label, at: '2026-01-11T00:00:00Z', earlier: [], ifDone: emptyMemory() }
    const held = holdBack(input([], { memory: { ...emptyMemory(), pending } }), all, noEvent, undefined)
    expect(held.pause?.againInMs).toEqual([5000])
    expect(madeNow(all, held)).toEqual([unapprove, cancel])
  })
})
