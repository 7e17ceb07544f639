// Which calls a pause defers, and which are made anyway.
import { describe, expect, it } from 'vitest'
import { callsToMake, deferCalls } from '../../../src/rules/engine/pause.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Call } from '../../../src/rules/types.ts'
import { input } from '../world.ts'

const label: Call = {
  to: 'service',
  endpoint: 'mergeRequests.update',
  params: { add_labels: 'x' },
  action: 'label',
  rules: ['r'],
}
const accept: Call = { to: 'service', endpoint: 'mergeRequests.accept', params: {}, action: 'accept', rules: ['r'] }
const unapprove: Call = { to: 'service', endpoint: 'mergeRequests.unapprove', params: {}, action: 'approve', rules: [] }
const cancel: Call = {
  to: 'service',
  endpoint: 'mergeRequests.cancelMergeWhenPipelineSucceeds',
  params: {},
  action: 'cancel_accept',
  rules: ['r'],
}
const all = [label, accept, unapprove, cancel]
const noEvent = () => undefined

describe('the calls that are made now', () => {
  it('are all, withdrawals first, where nothing defers them', () => {
    expect(callsToMake(all, deferCalls(input([]), all, noEvent, undefined))).toEqual([unapprove, cancel, label, accept])
  })
  it('are withdrawals alone where Bellhop is turned off', () => {
    const deferred = deferCalls(input([]), all, noEvent, 'it is off')
    expect(deferred.pause).toEqual({ reason: 'it is off', againInMs: [] })
    expect(callsToMake(all, deferred)).toEqual([unapprove, cancel])
  })
  it('are withdrawals alone while a call whose response was lost is pending', () => {
    const pending = { call: label, at: '2026-01-11T00:00:00Z', earlier: [], ifDone: emptyMemory() }
    const deferred = deferCalls(input([], { memory: { ...emptyMemory(), pending } }), all, noEvent, undefined)
    expect(deferred.pause?.againInMs).toEqual([5000])
    expect(callsToMake(all, deferred)).toEqual([unapprove, cancel])
  })
})
