// Evaluating all rules: each verdict is that of its trace.
import fc from 'fast-check'
import { evaluateRules, patternLimitIn } from '../../../../src/rules/engine/conditions/evaluate-rules.ts'
import { ruleEvaluations } from '../../../../src/rules/engine/conditions/rules-in-force.ts'
import { staysPending } from '../../../../src/rules/engine/update-memory.ts'
import { explainDecision } from '../../../../src/rules/explain/explain.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { Memory, SourceAnswers } from '../../../../src/rules/types.ts'
import { events, files, hostileAnswers, usualAnswers } from '../../arbitraries.ts'
import { happened, onEvent } from '../../over-time.ts'
import {
  answer,
  answers,
  approvedByBot,
  changesAnswer,
  decided,
  decidedBy,
  file,
  head,
  input,
  rule,
  rules,
  sent,
} from '../../world.ts'

it('evaluating all rules gives the verdicts that their traces give', () => {
  fc.assert(
    fc.property(files, fc.oneof(hostileAnswers, usualAnswers), events, (inForce, answers, happened) => {
      const given = input(inForce, { answers, events: happened })
      const all = ruleEvaluations(given)
      const { verdicts, trace } = evaluateRules(all, given, createView(given), { head })
      expect(verdicts).toEqual(all.map((_, place) => trace(place).trace.verdict))
    }),
    { numRuns: 60 },
  )
})

const text = 'abcdefghijklm '.repeat(100)
// Each costs about a million steps on this text.
const heavy = (index: number) =>
  rule(`{ description: { matches: "${index}[a-m].{0,350}z[!-/]$" } }`, '{ subscribe: true }', `heavy ${index}`)
const many = Array.from({ length: 40 }, (_, index) => heavy(index))
const approve = rule('{ target_branch: main }', '{ approve: true }', 'approve')
const described = { answers: answers({ description: text }) }
const repository = (...all: string[]) => file(rules(...all), { trust: 'repository' })
// Below the limit of one file: as a file and one that it includes.
const halves = (extra: string) => [
  repository(extra, ...many.slice(0, 12)),
  ...[12, 24].map((from, at) => includedFile(at, many.slice(from, from + 12))),
]
const includedFile = (at: number, all: string[]) =>
  file(rules(...all), { trust: 'repository', path: `included-${at}.yml` })

describe('patterns that take more than the budget', () => {
  const given = input(halves(approve), described)
  it('make every rule of the repository unknown, with what they take', () => {
    const decision = decided(given)
    expect(decision.calls).toEqual([])
    expect(new Set(decision.rules.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']))
    expect(decision.rules[0]?.conditions).toMatchObject({
      condition: 'pattern matching',
      expected: 'at most 1,200,000 steps for the patterns of all rules together',
      actual: expect.stringMatching(/^more: \d,\d{3},\d{3} were reached/),
      toFix: expect.stringContaining('smaller repetition counts'),
    })
    expect(patternLimitIn(decision)).toMatch(/^Matching their patterns takes more: /)
    expect(explainDecision(decision).join('\n')).toContain('pattern matching: expected at most 1,200,000 steps')
  })
  it('are not tried again', () => {
    const decision = decided(given)
    expect([decision.againInMs, decision.changesAt]).toEqual([undefined, undefined])
    expect(staysPending(decision, given.memory)).toBe(false)
  })
  it('leave the rules of the operator as they are', () => {
    const operator = file(rules(rule('{ title: { matches: "^Add" } }', '{ label: { add: new } }', 'label')))
    const decision = decided({ ...given, files: [operator, ...given.files] })
    expect(decision.rules.map(({ verdict }) => verdict).slice(0, 2)).toEqual(['true', 'unknown'])
    expect(decision.calls.map(({ action }) => action)).toEqual(['label'])
  })
  it('of observing rules leave the rules that act as they are', () => {
    const light = rule('{ title: { matches: "^Add" } }', '{ label: { add: new } }', 'light')
    const observing = many.slice(0, 12).map((each) => each.replace('    if:', '    mode: observe\n    if:'))
    const decision = decided(input([repository(light, ...observing)], described))
    expect(decision.calls.map(({ action }) => action)).toEqual(['label'])
    expect(decision.rules.map(({ verdict }) => verdict)).toEqual(['true', ...observing.map(() => 'unknown')])
  })
  it('withdraw the approval and the merge that waits', () => {
    const memory: Memory = { rules: {}, pushes: [], of: { approve: head, accept: { waitingSha: head } } }
    const held = answers({ description: text, merge_when_pipeline_succeeds: true })
    const decision = decided({ ...given, memory, answers: { ...held, ...approvedByBot } })
    expect(decision.calls.map(({ endpoint }) => endpoint).sort()).toEqual([
      'mergeRequests.cancelMergeWhenPipelineSucceeds',
      'mergeRequests.unapprove',
    ])
  })
})

it('without patterns that take long nothing is said of a limit', () => {
  expect(patternLimitIn(decided(input([repository(approve)], described)))).toBeUndefined()
})

describe('a rule that withdraws, while it is unknown', () => {
  const permits = rule('{ author: alice }', '{ approve: true, accept: true }', 'permits')
  const calls = (takesBack: string, fields: object, other: SourceAnswers = {}, memory = {}) =>
    decidedBy(rules(takesBack, permits), {
      memory: { rules: {}, pushes: [], ...memory },
      answers: answers({ ...fields }, other),
    })
  const ticket = rule(
    '{ not: { description: { matches: "Ticket: [A-Z]+" } } }',
    '{ unapprove: true, cancel_accept: true }',
    'ticket',
  )
  const infra = rule('{ changed_files: { any: "infra/**" } }', '{ unapprove: true, cancel_accept: true }', 'infra')
  const doc = rule(
    '{ milestone: "17", pushed_by: { any: [mallory] }, labels: { any: [hold] } }',
    '{ cancel_accept: true }',
    'hold',
  )

  it('is not evaded by a text that is too long to be matched', () => {
    expect(sent(calls(ticket, { description: 'Ticket: ABC' }))).toHaveLength(2)
    const decision = calls(ticket, { description: 'x'.repeat(100_001) })
    expect(decision.calls).toEqual([])
    expect(decision.rules[1]?.actions).toMatchObject([
      { action: 'approve', result: 'overruled', detail: expect.stringContaining('#ticket requests unapprove') },
      { action: 'accept', result: 'overruled', detail: expect.stringContaining('it is unknown whether') },
    ])
  })
  it('is not evaded by changed files of another version, and withdraws what stands', () => {
    const other = { ...approvedByBot, changes: changesAnswer([], { sha: 'c'.repeat(40) }) }
    expect(sent(calls(infra, {}, other, { of: { approve: head } }))).toEqual([['mergeRequests.unapprove', {}]])
  })
  it('restrains nothing where another of its conditions is false', () => {
    expect(sent(calls(doc, {}))).toHaveLength(2)
  })
  it('restrains nothing where it is for an event: anybody may cause one', () => {
    const hold = onEvent('note.create', '{ cancel_accept: true }', 'hold').replace(
      '    then',
      '    if: { command: [hold] }\n    then',
    )
    const events = [happened('note.create', 'd1', { note: { id: 17 } })]
    const stranger = { 'note@17': answer({ id: 17, body: 'hi', author: { id: 99 }, system: false }) }
    const decision = decidedBy(rules(hold, permits), { events, answers: answers({}, stranger) })
    expect(decision.rules[0]?.verdict).toBe('unknown')
    expect(sent(decision)).toHaveLength(2)
  })
})
