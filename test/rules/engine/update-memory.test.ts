// Memory: which actions are done, and what is approved.
import { droppedParts, emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import type { Call, Decision, Memory } from '../../../src/rules/types.ts'
import { whileOn } from '../over-time.ts'
import {
  answer,
  answers,
  approvedByBot,
  came,
  decidedBy,
  decideRule,
  head,
  rememberAs,
  rememberDone,
  rules,
  sent,
} from '../world.ts'

const key = 'rules/test.yml#the rule'
const labels = (changes = {}) => decideRule('{ draft: false }', '{ label: { add: a }, subscribe: true }', changes)
const done = (memory: Memory) => memory.rules[key]?.done

describe('a one-way action', () => {
  it.each([
    ['done', 'done', ['label', 'subscribe']],
    ['so already', 'already', ['label', 'subscribe']],
    ['refused', 'refused', []],
    ['of uncertain effect', 'ambiguous', []],
    ['not possible now', 'not_now', []],
  ] as const)('whose call was %s is remembered so', (_what, result, expected) => {
    expect(done(rememberAs(result, labels()))).toEqual(expected)
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
    expect(rememberAs('moved', approve()).of?.approve).toBeUndefined()
    expect(rememberAs('refused', approve()).of?.approve).toBeUndefined()
    expect(rememberAs('ambiguous', approve()).of?.approve).toBe(head)
  })
  it('stays where an approval of an earlier head still stands', () => {
    const memory = { ...emptyMemory(), of: { approve: 'b'.repeat(40) } }
    expect(rememberDone(memory, approve({ memory, answers: answers({}, approvedByBot) })).of?.approve).toBe(
      'b'.repeat(40),
    )
  })
})

const [carol, dora] = [
  { id: 3, username: 'carol' },
  { id: 4, username: 'dora' },
]
const people = { 'user@carol': answer([carol]), 'user@dora': answer([dora]) }
const fields = { labels: ['on'], assignees: [] as object[], assignee: null, reviewers: [] }
const given = answers(fields, people)
const firstDecision = (...texts: string[]) => decidedBy(rules(...texts), { answers: given })
const callOf = (...texts: string[]) => firstDecision(...texts).calls[0] as Call

describe('the answer to a call', () => {
  it.each([
    ['assign', 'assignees', 'the service dropped "dora": it keeps one assignee'],
    ['review', 'reviewers', 'the service dropped "dora": it keeps one reviewer'],
  ])('of %s tells who was dropped', (action, field, expected) => {
    const call = callOf(whileOn(`{ ${action}: [carol, dora] }`))
    expect(droppedParts(call, { [field]: [carol] })).toEqual({ [action]: expect.stringContaining(expected) })
  })
  it.each([
    ['everybody', { reviewers: [dora, carol] }],
    ['no reviewers', {}],
    ['something unreadable', { reviewers: [{ username: 'carol' }] }],
    ['a text', 'x'],
    ['nothing', null],
  ])('that shows %s tells of nobody', (_what, body) => {
    expect(droppedParts(callOf(whileOn('{ review: [carol, dora] }')), body)).toBeUndefined()
  })
  it('where nobody is to be assigned tells of nobody', () => {
    const some = answers({ labels: ['on'], assignees: [carol], assignee: carol })
    const [call] = decidedBy(rules(whileOn('{ assign: null }')), { answers: some }).calls
    expect(droppedParts(call as Call, { assignees: [] })).toBeUndefined()
  })
  it('to a call of several actions tells it for each, with the names of all rules', () => {
    const call = callOf(
      whileOn('{ review: carol, assign: [carol, dora] }', 'one'),
      whileOn('{ review: dora, label: { add: x } }', 'two'),
    )
    const dropped = droppedParts(call, { reviewers: [carol], assignees: [carol], labels: ['x'] })
    expect(dropped).toEqual({ assign: expect.stringContaining('"dora"'), review: expect.stringContaining('"dora"') })
  })
})

describe('what was dropped', () => {
  const text = rules(whileOn('{ assign: [carol, dora] }'), whileOn('{ assign: alice }', 'another rule'))
  const decision = firstDecision(whileOn('{ assign: [carol, dora] }'))
  const dropped = { assign: 'the service dropped "dora"' }
  const responses = decision.calls.map((call) => ({ ...came(call, 'dropped'), dropped }))
  const memory = remember(emptyMemory(), { ...decision, responses })
  const alice = { 'user@alice': answer([{ id: 2, username: 'alice' }]) }
  const kept = answers({ ...fields, assignees: [carol] }, { ...people, ...alice })

  it('is blocked with its reason, is not sent again, and no later rule takes its place', () => {
    const next = decidedBy(text, { answers: kept, memory })
    expect(sent(next)).toEqual([])
    expect(next.rules.map(({ actions }) => actions[0])).toEqual([
      { action: 'assign', result: 'blocked', detail: dropped.assign },
      { action: 'assign', result: 'overruled', detail: expect.any(String) },
    ])
    expect(remember(memory, next).rules).toMatchObject({ 'rules/test.yml#the rule': { done: ['assign'], dropped } })
  })
  it('is sent again when the rule becomes true again', () => {
    const off = remember(memory, decidedBy(text, { answers: answers({ labels: [] }), memory }))
    expect(JSON.stringify(off.rules)).not.toContain('dropped')
    expect(sent(decidedBy(text, { answers: kept, memory: off }))).toEqual([
      ['mergeRequests.update', { assignee_ids: [3, 4] }],
    ])
  })
})
