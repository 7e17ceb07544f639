// Memory: which actions are done, and what is approved.
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import type { Decision, Memory } from '../../../src/rules/types.ts'
import { answered, answers, approvedByBot, came, decideRule, head, rememberDone } from '../world.ts'

const key = 'rules/test.yml#the rule'
const labels = (changes = {}) => decideRule('{ draft: false }', '{ label: { add: a }, subscribe: true }', changes)
const done = (memory: Memory) => memory.rules[key]?.done

describe('a one-way action', () => {
  it.each([
    ['done', 'done', 200, ['label', 'subscribe']],
    ['so already', 'already', 304, ['label', 'subscribe']],
    ['refused', 'refused', 403, []],
    ['of uncertain effect', 'ambiguous', null, []],
    ['not possible now', 'not_now', 405, []],
  ] as const)('whose call was %s is remembered so', (_what, result, status, expected) => {
    expect(done(remember(emptyMemory(), answered(labels(), result, status ?? 0)))).toEqual(expected)
  })
  it('that was never sent is not done', () => {
    expect(done(remember(emptyMemory(), labels()))).toEqual([])
  })
  it('that had nothing to do is done', () => {
    expect(done(remember(emptyMemory(), labels({ answers: answers({ labels: ['a'], subscribed: true }) })))).toEqual([
      'label',
      'subscribe',
    ])
  })
})

describe('a rule', () => {
  it('that was edited while it matched is new: what it did, and what the service dropped, is forgotten', () => {
    const known = rememberDone(emptyMemory(), labels())
    const dropped = { label: 'the service dropped it' }
    const earlier = {
      ...known.rules[key],
      fingerprint: 'of the earlier text',
      matched: true,
      done: ['label', 'estimate'],
    }
    const memory = { ...known, rules: { [key]: { ...earlier, dropped } } }
    const decision = labels({ memory })
    expect(decision.calls.map(({ action }) => action)).toEqual(['label', 'subscribe'])
    expect(remember(memory, decision).rules[key]).toEqual({ ...known.rules[key], done: [] })
  })
  it('that is no longer in force is forgotten', () => {
    const nothing: Decision = { rules: [], calls: [], responses: [], head, files: [] }
    expect(remember(rememberDone(emptyMemory(), labels()), nothing).rules).toEqual({})
  })
})

describe('the approved head', () => {
  const approve = (changes = {}) => decideRule('{ draft: false }', '{ approve: true }', changes)
  it('is the one that the call named', () => {
    expect(rememberDone(emptyMemory(), approve()).of?.approve).toBe(head)
    expect(remember(emptyMemory(), answered(approve(), 'moved', 409)).of?.approve).toBeUndefined()
    expect(remember(emptyMemory(), answered(approve(), 'refused', 401)).of?.approve).toBeUndefined()
    expect(remember(emptyMemory(), answered(approve(), 'ambiguous', 502)).of?.approve).toBe(head)
  })
  it('stays where an approval of an earlier head still stands', () => {
    const memory = { ...emptyMemory(), of: { approve: 'b'.repeat(40) } }
    expect(rememberDone(memory, approve({ memory, answers: answers({}, approvedByBot) })).of?.approve).toBe(
      'b'.repeat(40),
    )
  })
  it('is forgotten once the approval was withdrawn', () => {
    const memory = { ...emptyMemory(), of: { approve: head } }
    const decision = approve({ memory, answers: answers({ work_in_progress: true }, approvedByBot) })
    expect(decision.calls.map((call) => call.endpoint)).toEqual(['mergeRequests.unapprove'])
    expect(rememberDone(memory, decision)).not.toHaveProperty('of')
    const [call] = decision.calls
    expect(call && remember(memory, { ...decision, responses: [came(call, 'refused', 403)] }).of?.approve).toBe(head)
  })
})
