// The calls to Bellhop's own merge queue, and what is remembered of them.
import { describe, expect, it } from 'vitest'
import { leaveCall, rememberQueue, removalNow } from '../../../../src/rules/actions/definition/queued-merge.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'

const mr = { id: 7, merge_request_iid: 12 }
const entry = { queue: 'main', target: 'main', sha: 'a'.repeat(40), priority: 0, frozen: false }
const leave = leaveCall(mr)
const queued = { ...emptyMemory(), of: { accept: { queued: entry } } }

describe('calls to the merge queue', () => {
  it('why it was removed stays, also where leaving is not certain', () => {
    const memo = { sha: entry.sha, reason: 'pipeline_failed', at: '2026-11-24T10:00:00.000Z' }
    expect(rememberQueue(queued, { ...leave, memo }, false)).toEqual({
      ...queued,
      of: { accept: { queued: entry, queueRemoval: memo } },
    })
    expect(rememberQueue(queued, { ...leave, memo }, true)).toEqual({
      ...emptyMemory(),
      of: { accept: { queueRemoval: memo } },
    })
  })
  it('what a rebase brought is in the head that it made, and stays out by that', () => {
    const memory = { ...queued, evaluated: { head: 'c'.repeat(40) } }
    const removed = (reason: 'content_changed' | 'conflict') => ({ reason, at: '2026-11-24T10:00:00.000Z' })
    const shaOf = (reason: 'content_changed' | 'conflict') =>
      removalNow({ memory, queueEntry: { removed: removed(reason) } })?.sha
    expect([shaOf('content_changed'), shaOf('conflict')]).toEqual(['c'.repeat(40), entry.sha])
  })
})
