// Approvals: given, missing, by whom.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { withOldApprovals } from '../../../src/rules/facts/approvals.ts'
import type { Memory } from '../../../src/rules/types.ts'
import { unsaid } from '../actual.ts'
import { answer, answers, bot, decideRule } from '../world.ts'

const found = (fact: string, body: unknown, memory: Partial<Memory> = {}) => {
  const condition = { approved: 'false', approved_by: 'x', approved_by_bot: 'true' }[fact] ?? '7'
  const decision = decideRule(`{ ${fact}: ${condition} }`, '{ subscribe: true }', {
    answers: answers({}, { approvals: answer(body) }),
    memory: { ...emptyMemory(), ...memory },
  })
  return decision.rules[0]?.conditions
}
const needsPremium = 'unknown: this installation does not show it; it needs Premium'
const people = [{ user: { id: 2, username: 'alice' } }, { user: { id: 3, username: 'bob' } }]

describe('approvals', () => {
  it.each([
    ['approvals_left', { approvals_left: 2 }, '2'],
    ['approvals_left', { approvals_missing: 1 }, '1'],
    ['approvals_left', {}, needsPremium],
    ['approvals_left', { approvals_left: 'many' }, unsaid],
    ['approvals_required', { approvals_required: 2 }, '2'],
    ['approvals_required', {}, needsPremium],
    ['approved', { approved: true }, 'true'],
    ['approved', { approved: false, approvals_left: 0 }, 'false'],
    ['approved', { approved: 'yes' }, unsaid],
    ['approved', { approvals_left: 0 }, 'true'],
    ['approved', { approvals_missing: 1 }, 'false'],
    ['approved', { approved_by: people }, unsaid],
    ['approved', { approved: true, approved_by: [], merge_request_approvers_available: false }, 'false'],
    ['approved', { approved: true, approved_by: people, merge_request_approvers_available: false }, 'true'],
    ['approved', { approved: true, merge_request_approvers_available: false }, unsaid],
    ['approved', { approved: true, approved_by: [], merge_request_approvers_available: true }, 'true'],
    ['approvals_given', { approved_by: people }, '2'],
    ['approvals_given', { approved_by: null }, unsaid],
    ['approved_by', { approved_by: people }, '"alice", "bob"'],
    ['approved_by', { approved_by: [{}] }, unsaid],
    ['approved_by', { approved_by: [] }, 'none'],
    ['approved_by_bot', { user_has_approved: true }, 'true'],
    ['approved_by_bot', { user_has_approved: false, approved_by: [{ user: bot }] }, 'false'],
    ['approved_by_bot', { approved_by: [...people, { user: bot }] }, 'true'],
    ['approved_by_bot', { approved_by: people }, 'false'],
    ['approved_by_bot', {}, unsaid],
    ['approvals_left', [], 'unknown: the hosting service’s answer cannot be read'],
    ['approvals_left', null, 'unknown: the hosting service’s answer cannot be read'],
  ])('%s of %j is %s', (fact, body, expected) => {
    expect(found(fact, body)?.actual).toBe(expected)
  })
  it('say how many more are needed', () => {
    expect(found('approvals_left', { approvals_left: 1 })?.toFix).toBe('1 more approval')
    expect(found('approvals_left', { approvals_left: 2 })?.toFix).toBe('2 more approvals')
  })
  it('say what works where the service does not show it', () => {
    expect(found('approvals_left', {})?.toFix).toBe('a service that shows it, or the fact approved in its place')
  })
})

describe('approvals from before a rebase that may have changed the content', () => {
  const again =
    'alice approved before Bellhop’s rebase, which changed the content or could not be compared: revoke the approval, and approve again'
  const all = { approved: true, approvals_left: 0, approved_by: [...people, { user: bot }] }
  it.each([
    ['approved_by', `"bob", "bellhop" (${again})`],
    ['approvals_given', `2 (${again})`],
    ['approved', `unknown: ${again}`],
    ['approvals_left', `unknown: ${again}`],
  ])('%s does not count them', (fact, expected) => {
    expect(found(fact, all, { oldApprovals: { by: [2] } })?.actual).toBe(expected)
  })
  it('are all that are there, until they were read; Bellhop’s own follow its rules', () => {
    expect(found('approved_by', all, { oldApprovals: {} })?.actual).toMatch(/^"bellhop" [(]alice, bob approved/)
    expect(found('approved_by_bot', all, { oldApprovals: {} })?.actual).toBe('true')
  })
  it('do not count without the id of their user', () => {
    const body = { approved: true, approved_by: [{ user: { username: 'carol' } }] }
    expect(found('approved_by', body, { oldApprovals: { by: [2] } })?.actual).toMatch(/^none [(]carol approved/)
  })
  it('count once they were revoked, and given again', () => {
    const left = (memory: Partial<Memory>, ...by: { user: object }[]) =>
      withOldApprovals({ ...emptyMemory(), ...memory }, { approvals: answer({ approved_by: by }) }, bot).oldApprovals
    expect(left({ oldApprovals: {} }, ...people, { user: bot })).toEqual({ by: [2, 3] })
    expect(left({ oldApprovals: { by: [2, 3] } }, { user: { id: 3 } }, { user: { id: 4 } })).toEqual({ by: [3] })
    expect(left({ oldApprovals: { by: [3] } }, { user: { id: 4 } })).toBeUndefined()
    expect(withOldApprovals({ ...emptyMemory(), oldApprovals: {} }, {}, bot).oldApprovals).toEqual({})
  })
})
