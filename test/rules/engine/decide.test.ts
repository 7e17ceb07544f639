// Deciding: what is requested, in which order, and what the decision says.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, decideCalls } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { explainDecision, firstBlocker } from '../../../src/rules/explain/explain.ts'
import type { Call, DecideInput, Decision, SourceAnswers } from '../../../src/rules/types.ts'
import { events, fields, files, hostileAnswers, json, memories, project, usualAnswers } from '../arbitraries.ts'
import {
  answer,
  answers,
  approvedByBot,
  decided,
  decideRule,
  file,
  head,
  input,
  mergeRequest,
  needsOf,
  onlyMergeRequest,
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
    const authorAccess = { ok: false as const, reason: '403' }
    expect(needsOf(conditions, actions, { ...onlyMergeRequest(), authorAccess })).toEqual(expected)
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
})

describe('a decision', () => {
  it('names the head, the files, their blobs and the commit that a file was read at', () => {
    const files = [{ ...file(rules(rule('{ state: opened }', '{ approve: true }'))), commit: 'c1' }]
    expect(decided(input(files))).toMatchObject({ head, files: [{ path: 'rules/test.yml', blob: 'b1', commit: 'c1' }] })
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

/** Answers what is requested, one source after the other, as the bot does. */
function settle(given: DecideInput, all: SourceAnswers): { decision: Decision; read: SourceAnswers } {
  for (let read: SourceAnswers = {}; ; ) {
    const result = decide({ ...given, answers: read })
    if ('decision' in result) return { decision: result.decision, read }
    const [next] = result.needs
    if (next === undefined || next in read) throw new Error(`requested ${next} after ${Object.keys(read).join(', ')}`)
    read = { ...read, [next]: all[next] ?? { ok: false, reason: 'there is none' } }
  }
}

function expectExplained(decision: Decision): void {
  expect(explainDecision(decision).length).toBeGreaterThan(0)
  for (const each of decision.rules)
    expect(firstBlocker(each) !== undefined).toBe(
      each.verdict !== 'true' ||
        each.actions.some(({ result, queue }) => result === 'blocked' || (result === 'waits' && queue === undefined)),
    )
}

/** It merges last, no head that it did not evaluate, and nothing that the repository's rules may not merge. */
function expectSafeMerge({ calls, head }: Decision, { files: inForce }: DecideInput, all: SourceAnswers): void {
  const merging = calls.filter(({ endpoint }) => /^mergeRequests\.(accept|approve)$/.test(endpoint))
  const changesRules = JSON.stringify(all.changes).includes('.bellhop.yml')
  if (inForce.some(({ broken, trust }) => broken || (trust === 'repository' && changesRules)))
    expect(merging).toEqual([])
  for (const call of merging) expect(call.params.sha).toBe(head)
  expect(calls.findIndex((call) => call.revalidate === true)).toBe(
    merging.some((call) => call.revalidate) ? calls.length - 1 : -1,
  )
}

describe('whatever rules and answers are, a decision', () => {
  it('reads each source at most once, is the same again, can be explained, and merges only what it may', () => {
    fc.assert(
      fc.property(
        files,
        fc.oneof(hostileAnswers, usualAnswers),
        memories,
        project,
        events,
        (inForce, all, memory, about, happened) => {
          const given = input(inForce, { memory, project: about, events: happened, answers: {} })
          const { decision, read } = settle(given, all)
          expect(settle(structuredClone(given), structuredClone(all))).toEqual({ decision, read })
          expect(JSON.parse(JSON.stringify(decision))).toEqual(decision)
          expectExplained(decision)
          expectSafeMerge(decision, given, all)
          // The same calls are decided alone, from what was read and from nothing.
          const { calls } = decision
          expect(decideCalls({ ...given, answers: read })).toEqual({ calls })
          expect(decideCalls(given)).toEqual(Object.keys(read).length === 0 ? { calls } : decide(given))
        },
      ),
      { numRuns: 100 },
    )
  })
  it('with everything read is the one that was reached by reading what was needed', () => {
    fc.assert(
      fc.property(files, usualAnswers, memories, events, (inForce, all, memory, happened) => {
        const given = input(inForce, { memory, answers: all, events: happened })
        expect(decided(given).calls).toEqual(settle(given, all).decision.calls)
      }),
      { numRuns: 40 },
    )
  })
  it('survives one field of the merge request that is anything at all', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...fields), json, (inForce, field, value) => {
        const changed = { [field]: value }
        settle(input(inForce), { ...answers(changed), changes: answer({ ...mergeRequest(), ...changed }) })
      }),
      { numRuns: 100 },
    )
  })
})
