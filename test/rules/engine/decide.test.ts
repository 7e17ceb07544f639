// Deciding: what is requested, in which order, and what the decision says.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Call, SourceAnswers } from '../../../src/rules/types.ts'
import {
  answer,
  answers,
  approvedByBot,
  bot,
  change,
  changesAnswer,
  decided,
  decidedBy,
  decideRule,
  file,
  head,
  input,
  mergeRequest,
  rule,
  rules,
  sent,
} from '../world.ts'

const needs = (conditions: string, actions: string, given: SourceAnswers) => {
  const result = decide(input([file(rules(rule(conditions, actions)))], { answers: given }))
  return 'needs' in result ? result.needs : []
}
const onlyMergeRequest = (fields = {}) => ({ mergeRequest: answer(mergeRequest(fields)) })

describe('what is read', () => {
  it('is nothing where there are no rules', () => {
    expect(decide(input([], { answers: {} }))).toEqual({
      decision: { rules: [], calls: [], responses: [], head: null, files: [] },
    })
  })
  it('is the cheapest source of a rule, as its answer may make the others needless', () => {
    const condition = '{ changed_files: { any: a }, author: alice, approvals_left: 0 }'
    expect(needs(condition, '{ subscribe: true }', {})).toEqual(['mergeRequest'])
    expect(needs(condition, '{ subscribe: true }', onlyMergeRequest())).toEqual(['approvals'])
  })
  it('is a source for each rule, the cheapest first', () => {
    const both = rules(
      rule('{ changed_files: { any: a } }', '{ subscribe: true }', 'one'),
      rule('{ approvals_left: 0 }', '{ subscribe: true }', 'other'),
    )
    expect(decide(input([file(both)], { answers: onlyMergeRequest() }))).toEqual({ needs: ['approvals', 'changes'] })
  })
  it('is nothing more for a rule that is already false', () => {
    expect(needs('{ changed_files: { any: a }, author: bob }', '{ subscribe: true }', onlyMergeRequest())).toEqual([])
  })
  it('is nothing more for an any that is already true', () => {
    expect(
      needs('{ any: [{ changed_files: { any: a } }, { author: alice }] }', '{ subscribe: true }', onlyMergeRequest()),
    ).toEqual([])
  })
  it('is nothing more for a rule that one condition keeps unknown for good', () => {
    const given = { ...onlyMergeRequest(), approvals: { ok: false as const, reason: '404' } }
    expect(needs('{ approvals_left: 0, changed_files: { any: a } }', '{ subscribe: true }', given)).toEqual([])
  })
  it('is both sides of a not that is unknown for good on one', () => {
    const given = { ...onlyMergeRequest(), approvals: { ok: false as const, reason: '404' } }
    expect(needs('{ not: { approvals_left: 0, changed_files: { any: a } } }', '{ subscribe: true }', given)).toEqual([
      'changes',
    ])
  })
  it('is what an action must know only once its rule holds', () => {
    expect(needs('{ author: bob }', '{ approve: true }', onlyMergeRequest())).toEqual([])
    expect(needs('{ author: alice }', '{ approve: true }', onlyMergeRequest())).toEqual(['approvals'])
  })
  it('is who approves now, while approvals of other content do not count: what is revoked counts once it is given again', () => {
    const files = [file(rules(rule('{ author: bob }', '{ approve: true }')))]
    const whileOld = (given: SourceAnswers) =>
      decide(input(files, { answers: given, memory: { ...emptyMemory(), oldApprovals: { by: [2] } } }))
    expect(whileOld(onlyMergeRequest())).toEqual({ needs: ['approvals'] })
    const refused = { ok: false as const, reason: '404' }
    expect(whileOld({ ...onlyMergeRequest(), approvals: refused })).toHaveProperty('decision')
  })
  it('is no pipeline for a merge request that can never be accepted', () => {
    expect(
      needs(
        '{ author: alice }',
        '{ accept: true }',
        onlyMergeRequest({ merge_status: 'cannot_be_merged', head_pipeline: undefined }),
      ),
    ).toEqual([])
  })
  it('is never the same source twice, and in the end a decision', () => {
    let given = input(
      [
        file(
          rules(
            rule(
              '{ pipeline: success, commit_messages: { any: x }, default_branch: main }',
              '{ approve: true, accept: true }',
            ),
          ),
        ),
      ],
      { answers: {} },
    )
    const all = answers({ head_pipeline: undefined })
    const asked: string[] = []
    for (let result = decide(given); 'needs' in result; result = decide(given)) {
      const [next] = result.needs
      if (next === undefined) throw new Error('nothing to request')
      expect(asked).not.toContain(next)
      asked.push(next)
      given = { ...given, answers: { ...given.answers, [next]: all[next] ?? { ok: false, reason: 'none' } } }
    }
    expect(asked[0]).toBe('mergeRequest')
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
  it('gives two rules of two files with one path two keys', () => {
    const text = operator('same', '{ subscribe: true }')
    expect(decided(input([file(text), file(text)])).rules.map((each) => each.key)).toEqual([
      'rules/test.yml#same',
      'rules/test.yml#same#2',
    ])
  })
})

describe('a decision', () => {
  it('names the commit that a file was read at, where it is known', () => {
    const files = [{ ...file(rules(rule('{ state: opened }', '{ approve: true }'))), commit: 'c1' }]
    expect(decided(input(files)).files).toEqual([{ path: 'rules/test.yml', blob: 'b1', commit: 'c1' }])
  })
  it('names the head, the files and their blobs', () => {
    expect(decideRule('{ state: closed }', '{ approve: true }')).toMatchObject({
      head,
      files: [{ path: 'rules/test.yml', blob: 'b1' }],
    })
  })
  it('says to evaluate again soon while the service is checking, and not otherwise', () => {
    expect(
      decideRule('{ state: opened }', '{ accept: true }', { answers: answers({ merge_status: 'unchecked' }) })
        .againInMs,
    ).toBe(2000)
    expect(decideRule('{ state: opened }', '{ accept: true }').againInMs).toBeUndefined()
  })
  it('is the same for the same input, which it leaves alone', () => {
    const given = input([file(rules(rule('{ changed_files: { all: "**" } }', '{ approve: true, accept: true }')))], {
      answers: answers({}, { changes: changesAnswer([change('a'), change('b')]) }),
      bot,
    })
    const before = structuredClone(given)
    expect(decide(given)).toEqual(decide(structuredClone(given)))
    expect(given).toEqual(before)
  })
  it('of a rule that this version does not know is unknown, never a throw', () => {
    const [known] = file(rules(rule('{ draft: false }', '{ approve: true }'))).rules.rules
    if (known === undefined) throw new Error('no rule')
    const strange = {
      ...known,
      if: { fact: 'toString', operator: 'constructor', expected: 1 },
      actions: [{ action: 'toString', args: 1, line: 1 }],
    }
    const files = [
      { ...file(rules()), rules: { file: 'x', rules: [strange, { ...strange, name: 'y', if: known.if }] } },
    ]
    expect(decided(input(files)).rules.map((each) => each.verdict)).toEqual(['unknown', 'true'])
  })
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
