// Patterns that would exceed their budget: their rules are unknown and say why, and what Bellhop holds is withdrawn.
import { describe, expect, it } from 'vitest'
import { patternLimitIn } from '../../../../src/rules/engine/conditions/evaluate-rules.ts'
import { staysPending } from '../../../../src/rules/engine/update-memory.ts'
import { explainDecision } from '../../../../src/rules/explain/explain.ts'
import type { Memory } from '../../../../src/rules/types.ts'
import { answers, approvedByBot, decided, file, head, input, rule, rules } from '../../world.ts'

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
