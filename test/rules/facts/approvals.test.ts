// Approvals: given, missing, by whom.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { unsaid } from '../actual.ts'
import { answer, answers, bot, decideRule, head } from '../world.ts'

const [author, bob, carol] = ['alice', 'bob', 'carol'].map((username, at) => ({ user: { id: at + 2, username } }))
const people = [bob, carol]
const pushes = [{ from: null, to: head, by: { username: 'alice' } }]

function found(fact: string, body: unknown) {
  const conditions = { approved: 'false', approved_by: 'x', approved_by_service: 'x', approved_by_bot: 'true' }
  const condition = (conditions as Record<string, string>)[fact] ?? '7'
  const decision = decideRule(`{ ${fact}: ${condition} }`, '{ subscribe: true }', {
    answers: answers({}, { approvals: answer(body) }),
    memory: { ...emptyMemory(), pushes },
  })
  return decision.rules[0]?.conditions
}
const needsPremium = 'unknown: this installation does not show it; it needs Premium'

describe('approvals', () => {
  it.each([
    ['approvals_left', { approvals_left: 2 }, '2'],
    ['approvals_left', { approvals_missing: 1 }, '1'],
    ['approvals_left', {}, needsPremium],
    ['approvals_left', { approvals_left: 'many' }, unsaid],
    ['approvals_required', { approvals_required: 2 }, '2'],
    ['approvals_required', {}, needsPremium],
    ['approved', { approved: true, approvals_required: 0 }, 'true'],
    ['approved', { approved: false, approvals_left: 0 }, 'false'],
    ['approved', { approved: 'yes' }, unsaid],
    ['approved', { approvals_left: 0 }, 'true'],
    ['approved', { approvals_missing: 1 }, 'false'],
    ['approved', { approved: true }, unsaid],
    ['approved', { approved_by: people }, 'true'],
    ['approved', { approved: true, approved_by: [] }, 'false'],
    [
      'approved',
      { approved: true, approved_by: [], approvals_left: 0, merge_request_approvers_available: false },
      'false',
    ],
    ['approved', { approved: true, approved_by: people, merge_request_approvers_available: false }, 'true'],
    [
      'approved',
      { approved: true, approved_by: [], approvals_left: 0, merge_request_approvers_available: true },
      'true',
    ],
    ['approvals_given', { approved_by: people }, '2'],
    ['approvals_given', { approved_by: null }, unsaid],
    ['approved_by', { approved_by: people }, '"bob", "carol"'],
    ['approved_by', { approved_by: [{}] }, unsaid],
    ['approved_by', { approved_by: [] }, 'none'],
    ['approved_by_service', { approved_by: [author, bob, { user: bot }] }, '"alice", "bob", "bellhop"'],
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
