// The expected number of calls is never lower than the real one.
import { expect, test } from 'vitest'
import { callsOf, sourcesOf } from '../../../src/rules/backtest/past-facts.ts'
import { thorough } from '../../../src/rules/backtest/totals.ts'
import { decide } from '../../../src/rules/engine/decide.ts'
import type { Override } from '../../../src/rules/types.ts'
import { answer, answers, file, input, issueRule, rule, rules } from '../world.ts'

const text = rules(
  rule(
    '{ changed_files: { all: "src/**" }, labels: { any: x } }',
    '{ comment: "{{ approvals_left }} left", assign: carol }',
    'one',
  ),
  rule('{ not: { commits_count: 2 } }', '{ accept: true }', 'two'),
  '  - { name: three, on: push, if: { participants: { any: x } }, then: { todo: true } }\n',
)
const unknownLabels: Override = { fact: 'labels', is: { is: 'absent', reason: 'what labels was then is not known' } }

test('the sources of conditions, actions, texts and trust count, and none of rules with on:', () => {
  expect(sourcesOf([file(text)], []).sort()).toEqual(
    [
      'approvals',
      'authorAccess',
      'authorAccessIn',
      'changes',
      'closesIssues',
      'commits',
      'landingCommits',
      'mergeRequest',
      'mergeTrain',
      'notes',
      'otherProject',
      'pipelineCommit',
      'pipelines',
      'project',
      'referencedIssue',
      'user@carol',
    ].sort(),
  )
  const trusted = sourcesOf([file(rules(rule('{ author: alice }', '{ approve: true }')), { trust: 'repository' })], [])
  expect(trusted).toEqual(expect.arrayContaining(['project', 'changes']))
})

test('rules for issues count for issues alone, with sources that issues have', () => {
  const both = rules(
    rule('{ approvals_left: 0 }', '{ accept: true }', 'other'),
    issueRule('{ related_merge_requests: { none: "*" } }', '{ assign: carol }'),
  )
  expect(sourcesOf([file(both)], [], 'issue').sort()).toEqual(['mergeRequest', 'relatedMergeRequests', 'user@carol'])
  expect(sourcesOf([file(both)], [])).not.toContain('relatedMergeRequests')
})

test('changed files cost the page and the version that binds it', () => {
  expect(callsOf(['mergeRequest', 'changes'])).toBe(3)
})

test('an overridden fact is not read', () => {
  expect(
    sourcesOf(
      [file(rules(rule('{ approvals_left: 0 }', '{ todo: true }')))],
      [{ ...unknownLabels, fact: 'approvals_left' }],
    ),
  ).toEqual(['mergeRequest'])
})

test('every condition of an unknown rule is evaluated, so that it may turn out false', () => {
  const only = file(rules(rule('{ labels: { any: x }, author: bob }', '{ todo: true }')))
  const given = (files = [only]) => input(files, { answers: {}, overrides: [unknownLabels] })
  expect(decide(given())).toMatchObject({ decision: { rules: [{ verdict: 'unknown' }] } })
  expect(decide(given(thorough([only])))).toEqual({ needs: ['mergeRequest'] })
  const read = { ...given(thorough([only])), answers: { mergeRequest: answers().mergeRequest ?? answer({}) } }
  expect(decide(read)).toMatchObject({ decision: { rules: [{ verdict: 'false' }] } })
})
