// What a service drops without a word: it is blocked with its reason, and not sent again while the rule matches.
import { describe, expect, it } from 'vitest'
import { droppedParts, emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import type { Call } from '../../../src/rules/types.ts'
import { whileOn } from '../over-time.ts'
import { answer, answers, came, decidedBy, rules, sent } from '../world.ts'

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
