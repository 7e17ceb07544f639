// review: keeps the present reviewers.
import { answer, answers, decidedBy, decideRule, outcomes, rule, rules, sent } from '../world.ts'

const alice = { id: 2, username: 'alice' }
const state = (reviewers: unknown, more: object = {}) =>
  answers({ reviewers }, { 'user@dora': answer([{ id: 4, username: 'dora' }]), ...more })
const decide = (args: string, reviewers: unknown, more: object = {}) =>
  decideRule('{ state: opened }', `{ review: ${args} }`, { answers: state(reviewers, more) })

describe('review', () => {
  it('keeps the present reviewers', () => {
    expect(sent(decide('carol', [alice]))).toEqual([['mergeRequests.update', { reviewer_ids: [2, 3] }]])
    expect(sent(decide('[carol, dora]', []))).toEqual([['mergeRequests.update', { reviewer_ids: [3, 4] }]])
  })
  it('of a present reviewer is no call', () => {
    const carol = { id: 3, username: 'carol' }
    const decision = decide('Carol', [carol], { 'user@Carol': answer([carol]) })
    expect(decision.rules[0]?.actions).toMatchObject([{ result: 'nothing_to_do' }])
  })
  it('of two rules is one call, and nobody is lost', () => {
    const text = rules(
      rule('{ state: opened }', '{ review: carol }', 'one'),
      rule('{ state: opened }', '{ review: dora }', 'two'),
    )
    expect(sent(decidedBy(text, { answers: state([alice]) }))).toEqual([
      ['mergeRequests.update', { reviewer_ids: [2, 3, 4] }],
    ])
  })
  it.each([
    [
      'nobody of that name',
      'carol',
      [],
      { 'user@carol': answer([{ id: 9, username: 'caroline' }]) },
      'there is no user carol',
    ],
    ['a service without reviewers', 'carol', undefined, {}, 'reviewers is unknown: the hosting service does not say'],
  ])('is blocked for %s', (_what, args, reviewers, more, detail) => {
    expect(outcomes(decide(args, reviewers, more))).toEqual([`blocked: ${detail}`])
  })
  it('never sends a list that would take somebody off', () => {
    const odd = decide('carol', [{ username: 'alice' }])
    expect(odd.calls).toEqual([])
  })
})
