// Deciding: what is requested, in which order, and what the decision says.
import { decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Call, SourceAnswers } from '../../../src/rules/types.ts'
import {
  answers,
  approvedByBot,
  decided,
  decidedBy,
  decideRule,
  file,
  head,
  input,
  needsOf,
  onlyMergeRequest,
  refused,
  rule,
  rules,
  sent,
} from '../world.ts'

describe('what is read', () => {
  it('is nothing where there are no rules', () => {
    expect(decide(input([], { answers: {} }))).toEqual({
      decision: { rules: [], calls: [], responses: [], head: null, files: [] },
    })
  })
  it('is the cheapest source of a rule, as its answer may make the others needless', () => {
    const condition = '{ changed_files: { any: a }, author: alice, approvals_left: 0 }'
    expect(needsOf(condition, '{ subscribe: true }', {})).toEqual(['mergeRequest'])
    expect(needsOf(condition, '{ subscribe: true }', onlyMergeRequest())).toEqual(['approvals'])
  })
  it('is a source for each rule, the cheapest first', () => {
    const both = rules(
      rule('{ changed_files: { any: a } }', '{ subscribe: true }', 'one'),
      rule('{ approvals_left: 0 }', '{ subscribe: true }', 'other'),
    )
    expect(decide(input([file(both)], { answers: onlyMergeRequest() }))).toEqual({ needs: ['approvals', 'changes'] })
  })
  it.each<[string, string, string, string[]]>([
    ['a rule that is already false', '{ changed_files: a, author: bob }', '{ subscribe: true }', []],
    ['an any that is already true', '{ any: [{ changed_files: a }, { author: alice }] }', '{ subscribe: true }', []],
    ['a rule that stays unknown', '{ author_access: developer, changed_files: a }', '{ subscribe: true }', []],
    [
      'a not of which a part stays unknown',
      '{ not: { author_access: developer, changed_files: a } }',
      '{ subscribe: true }',
      ['changes'],
    ],
    ['an action whose rule does not match', '{ author: bob }', '{ approve: true }', []],
    ['an action whose rule matches', '{ author: alice }', '{ approve: true }', ['approvals']],
  ])('is only what can still decide: %s', (_what, conditions, actions, expected) => {
    const authorAccess = refused(403)
    expect(needsOf(conditions, actions, { ...onlyMergeRequest(), authorAccess })).toEqual(expected)
  })
  it('is who approves now, while approvals of other content do not count: what is revoked counts once it is given again', () => {
    const files = [file(rules(rule('{ author: bob }', '{ approve: true }')))]
    const whileOld = (given: SourceAnswers) =>
      decide(input(files, { answers: given, memory: { ...emptyMemory(), oldApprovals: { by: [2] } } }))
    expect(whileOld(onlyMergeRequest())).toEqual({ needs: ['approvals'] })
    expect(whileOld({ ...onlyMergeRequest(), approvals: refused() })).toHaveProperty('decision')
  })
  it('is no pipeline for a merge request that can never be accepted', () => {
    expect(
      needsOf(
        '{ author: alice }',
        '{ accept: true }',
        onlyMergeRequest({ merge_status: 'cannot_be_merged', head_pipeline: undefined }),
      ),
    ).toEqual([])
  })
})

describe('the order', () => {
  const operator = (name: string, actions: string) => rules(rule('{ state: opened }', actions, name))
  it('is operator’s rules before the repository’s, then file order', () => {
    const files = [
      file(operator('own', '{ estimate: 1h }'), { trust: 'repository' }),
      file(operator('first', '{ estimate: 2h }')),
      file(operator('second', '{ estimate: 3h }'), { path: 'z.yml' }),
    ]
    const decision = decided(input(files))
    expect(decision.rules.map((each) => [each.key, each.actions[0]?.result])).toEqual([
      ['rules/test.yml#first', 'call'],
      ['z.yml#second', 'overruled'],
      ['.bellhop.yml#own', 'overruled'],
    ])
    expect(sent(decision)).toEqual([['mergeRequests.timeEstimate', { duration: '2h' }]])
  })
  it('of calls puts accept last', () => {
    const decision = decideRule('{ state: opened }', '{ accept: true, approve: true, label: { add: a } }')
    expect(decision.calls.map((call) => call.action)).toEqual(['approve', 'label', 'accept'])
    expect(decision.rules[0]?.actions.map((each) => each.action)).toEqual(['accept', 'approve', 'label'])
  })
  it('lets rules that request the same share one call', () => {
    const text = rules(
      rule('{ state: opened }', '{ approve: true }', 'a'),
      rule('{ state: opened }', '{ approve: true }', 'b'),
    )
    expect(decidedBy(text).calls).toMatchObject([
      { endpoint: 'mergeRequests.approve', rules: ['rules/test.yml#a', 'rules/test.yml#b'] },
    ])
  })
})

it('a decision names the head, the files, their blobs and the commit that a file was read at', () => {
  const files = [{ ...file(rules(rule('{ state: opened }', '{ approve: true }'))), commit: 'c1' }]
  expect(decided(input(files))).toMatchObject({ head, files: [{ path: 'rules/test.yml', blob: 'b1', commit: 'c1' }] })
})

describe('while Bellhop is turned off and a call whose response was lost is pending', () => {
  const call: Call = {
    to: 'service',
    endpoint: 'mergeRequests.notes.create',
    params: {},
    action: 'comment',
    rules: ['r'],
    before: 'r',
  }
  const held = { ...emptyMemory(), of: { approve: head, label: ['on'] } }
  const memory = { ...held, pending: { call, at: '2026-01-11T00:00:00Z', earlier: [], ifDone: held } }
  const state = answers({ labels: ['on'] }, approvedByBot)
  const at = (now: string) => sent(decided(input([], { memory, now, answers: state, policy: { mode: 'off' } })))

  it('only withdrawals are sent', () => {
    expect(at('2026-01-11T00:00:04Z')).toEqual([['mergeRequests.unapprove', {}]])
  })
  it('what else is held is withdrawn once the call is settled', () => {
    expect(at('2026-01-11T00:00:05Z')).toEqual([
      ['mergeRequests.unapprove', {}],
      ['mergeRequests.update', { remove_labels: 'on' }],
    ])
  })
})
