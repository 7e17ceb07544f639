// The view: each fact by name; what is not read says so, what cannot be read says why.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { factNamed } from '../../../../src/rules/facts/index.ts'
import { answersOfOtherVersions, createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { Override, SourceAnswer, SourceAnswers, Trust } from '../../../../src/rules/types.ts'
import {
  answer,
  answers,
  change,
  changesAnswer,
  decided,
  decideRule,
  file,
  head,
  input,
  mergeRequest,
  rule,
  rules,
  sent,
  verdictOf,
} from '../../world.ts'

const fact = (name: string, answers = {}) => createView(input([], { answers })).fact(name)

describe('a fact', () => {
  it.each([
    ['not read names its source', 'title', {}, { is: 'unread', source: 'mergeRequest' }],
    ['read is known', 'title', { mergeRequest: answer({ title: 'A' }) }, { is: 'known', value: 'A', complete: true }],
    [
      'of a list that was cut is known in part',
      'commit_messages',
      { mergeRequest: answer({ sha: head }), commits: answer([{ id: head, message: 'a' }], false) },
      { is: 'known', value: ['a'], complete: false },
    ],
    [
      'of a source that failed says why',
      'title',
      { mergeRequest: { ok: false, reason: '403 Forbidden' } },
      { is: 'absent', reason: '403 Forbidden' },
    ],
    [
      'of a body of another shape is absent',
      'title',
      { mergeRequest: answer([1]) },
      { is: 'absent', reason: 'the hosting service’s answer cannot be read' },
    ],
    [
      'of a list that is no list is absent',
      'commit_messages',
      { commits: answer({}) },
      { is: 'absent', reason: 'the hosting service’s answer cannot be read' },
    ],
    ['that nobody declared is absent', 'toString', {}, { is: 'absent', reason: 'there is no such fact' }],
  ])('%s', (_what, name, answers, expected) => {
    expect(fact(name, answers)).toEqual(expected)
  })
  it('is found by its own name only', () => {
    expect(factNamed('title')?.type.name).toBe('text')
    expect(factNamed('__proto__')).toBeUndefined()
  })
})

const supposing = (...overrides: Override[]) => ({ overrides, answers: answers({ labels: ['a', 'hold'] }) })
const red: Override = { fact: 'pipeline', is: { is: 'known', value: 'failed', complete: true, remark: 'overridden' } }

describe('an overridden fact', () => {
  it('is evaluated in place of the service’s, and the trace says that it is overridden', () => {
    const decision = decideRule('{ pipeline: failed }', '{ subscribe: true }', supposing(red))
    expect(decision.rules[0]?.conditions).toMatchObject({ verdict: 'true', actual: '"failed" (overridden)' })
    expect(sent(decision)).toEqual([['mergeRequests.subscribe', {}]])
  })
  it('holds for what an action requires as well', () => {
    expect(sent(decideRule('{ author: alice }', '{ accept: true }', supposing(red)))).toEqual([])
  })
  it('is not read', () => {
    const result = decide(
      input([file(rules(rule('{ pipeline: success }', '{ subscribe: true }')))], { overrides: [red], answers: {} }),
    )
    expect(result).toMatchObject({ decision: { rules: [{ verdict: 'false' }] } })
  })
  it('may be unknown', () => {
    const unknown: Override = { fact: 'author', is: { is: 'absent', reason: 'it is overridden' } }
    expect(decideRule('{ author: alice }', '{ subscribe: true }', supposing(unknown)).rules[0]?.verdict).toBe('unknown')
  })
  it('is of no event', () => {
    expect(decideRule('{ author: alice }', '{ subscribe: true }', supposing({ fact: 'actor', is: red.is }))).toEqual(
      decideRule('{ author: alice }', '{ subscribe: true }', supposing()),
    )
  })
})

describe('an overridden list', () => {
  const labels = (...overrides: Override[]) =>
    decideRule('{ labels: { any: x } }', '{ subscribe: true }', supposing(...overrides)).rules[0]
  it.each<[string, Override[], string]>([
    ['adds', [{ fact: 'labels', add: ['b', 'a'] }], '"a", "hold", "b" (overridden)'],
    ['removes', [{ fact: 'labels', remove: ['hold', 'other'] }], '"a" (overridden)'],
    [
      'goes over an earlier one',
      [
        { fact: 'labels', add: ['b'] },
        { fact: 'labels', remove: ['b', 'a'] },
      ],
      '"hold" (overridden)',
    ],
    [
      'goes over a supposed value',
      [
        { fact: 'labels', is: { is: 'known', value: ['c'], complete: true, remark: 'overridden' } },
        { fact: 'labels', add: ['d'] },
      ],
      '"c", "d" (overridden)',
    ],
    [
      'is forgotten by a later value',
      [
        { fact: 'labels', add: ['d'] },
        { fact: 'labels', is: { is: 'known', value: ['c'], complete: true } },
      ],
      '"c"',
    ],
  ])('%s', (_what, overrides, actual) => {
    expect(labels(...overrides)?.conditions.actual).toBe(actual)
  })
  it('leaves what is unknown unknown, and is read where it was not', () => {
    const add: Override = { fact: 'labels', add: ['x'] }
    const given = { ...supposing(add), answers: { mergeRequest: { ok: false as const, reason: 'gone' } } }
    expect(decideRule('{ labels: { any: x } }', '{ subscribe: true }', given).rules[0]?.verdict).toBe('unknown')
    expect(
      decide(input([file(rules(rule('{ labels: { any: x } }', '{ todo: true }')))], { overrides: [add], answers: {} })),
    ).toEqual({
      needs: ['mergeRequest'],
    })
  })
})

const other = 'b'.repeat(40)
const refs = (base: string, start = base) => ({ diff_refs: { base_sha: base, start_sha: start, head_sha: head } })
const docs = (fields: Record<string, unknown> = {}) => changesAnswer([change('docs/a.md')], fields)
const commit = { title: 'docs: a', message: 'docs: a', author_email: 'alice@example.com' }
const found = (condition: string, given: SourceAnswers) => {
  const decision = decideRule(condition, '{ approve: true }', { answers: given })
  const { verdict, actual } = decision.rules[0]?.conditions ?? {}
  return { verdict, actual, again: decision.againInMs !== undefined, calls: decision.calls.length }
}

const ofFiles = '{ changed_files: { all: "docs/**" } }'

describe('an answer of another version is unknown, and both are read again:', () => {
  it.each<[string, SourceAnswers, string?]>([
    ['changed files of another head', answers({}, { changes: docs({ sha: other }) })],
    [
      'changed lines of another head',
      answers({}, { changes: docs({ sha: other }) }),
      '{ lines_changed: { at_least: 1 } }',
    ],
    ['changed files of a head that was there before', answers({ sha: other }, { changes: docs() })],
    ['changed files against another target branch', answers({}, { changes: docs({ target_branch: 'side' }) })],
    ['changed files from another base', answers(refs(head), { changes: docs(refs(other)) })],
    ['changed files of another start', answers(refs(head), { changes: docs(refs(head, other)) })],
    [
      'commits whose newest is not the head',
      answers({}, { commits: answer([{ ...commit, id: other }]) }),
      '{ commit_titles: { all: "docs*" } }',
    ],
    [
      'commits whose second is the head',
      answers({}, { commits: answer([other, head].map((id) => ({ ...commit, id }))) }),
      '{ commit_titles: { all: "docs*" } }',
    ],
    [
      'versions whose newest is of another head',
      answers({}, { versions: answer([{ id: 1, head_commit_sha: other, created_at: '2026-01-01T00:00:00Z' }]) }),
      '{ versions_count: 1 }',
    ],
  ])('%s', (_what, given, condition = ofFiles) => {
    const { actual, ...rest } = found(condition, given)
    expect(rest).toEqual({ verdict: 'unknown', again: true, calls: 0 })
    expect(actual).toMatch(/^unknown: it is of another .* than the merge request: both are read again$/)
    expect(answersOfOtherVersions({ answers: given })).toHaveLength(1)
  })
})

describe('an answer that does not say its version is unknown, and is not read again:', () => {
  const unsaid = 'unknown: the hosting service does not say of which version it is'
  it.each<[string, SourceAnswers, string, string?]>([
    ['changed files without a head', answers({}, { changes: docs({ sha: undefined }) }), unsaid],
    ['changed files whose head is null', answers({}, { changes: docs({ sha: null }) }), unsaid],
    ['changed files without a target', answers({}, { changes: docs({ target_branch: undefined }) }), unsaid],
    ['no commits', answers({}, { commits: answer([]) }), unsaid, '{ commits_count: 0 }'],
    ['commits without ids', answers({}, { commits: answer([commit]) }), unsaid, '{ commit_titles: { all: "docs*" } }'],
    ['no versions', answers({}, { versions: answer([]) }), unsaid, '{ versions_count: 0 }'],
    [
      'what is of a merge request without a head',
      answers({ sha: null }, { changes: docs({ sha: null }) }),
      'unknown: the merge request has no head commit',
    ],
  ])('%s', (_what, given, actual, condition = ofFiles) => {
    expect(found(condition, given)).toEqual({ verdict: 'unknown', actual, again: false, calls: 0 })
  })
})

describe('an answer of the version that is evaluated counts:', () => {
  it.each<[string, SourceAnswers]>([
    ['by its head and its target', answers({}, { changes: docs() })],
    ['with the same base', answers(refs(other), { changes: docs(refs(other)) })],
    ['where one side alone tells a base', answers({}, { changes: docs(refs(other)) })],
    ['where the references are null', answers({ diff_refs: null }, { changes: docs({ diff_refs: null }) })],
  ])('%s', (_what, given) => {
    expect(found(ofFiles, given)).toMatchObject({ verdict: 'true', again: false })
  })
  it('the fact is read with the merge request: without it, that is asked for', () => {
    const { mergeRequest: _mergeRequest, ...others } = answers()
    expect(() => verdictOf('{ changed_files: { all: "src/**" } }', { answers: others })).toThrow('needs mergeRequest')
  })
})

describe('approve and accept', () => {
  const heads = [head, other, 'c'.repeat(40)]
  const targets = ['main', 'side']
  const version = fc.record({
    sha: fc.constantFrom(...heads),
    target: fc.constantFrom(...targets),
    base: fc.constantFrom(head, other, undefined),
  })
  const conditions = [
    '{ changed_files: { all: "docs/**" } }',
    '{ not: { changed_files: { any: "src/**" } } }',
    '{ changed_files: { none: "src/**" } }',
    '{ lines_changed: { less_than: 50 } }',
    '{ commit_titles: { all: "docs*" } }',
    '{ commits_count: { at_most: 3 } }',
    '{ versions_count: { less_than: 5 } }',
    '{ inactive_for: { older_than: 1d } }',
    '{ author: alice }',
  ]
  type Version = { sha: string; target: string; base: string | undefined }
  const fieldsOf = ({ sha, target, base }: Version) => ({
    ...{ sha, target_branch: target, head_pipeline: { id: 5, sha, ref: 'feature', status: 'success', source: 'push' } },
    ...(base === undefined ? {} : { diff_refs: { base_sha: base, start_sha: base, head_sha: sha } }),
  })
  const isSame = (one: Version, two: Version) =>
    one.sha === two.sha &&
    one.target === two.target &&
    (one.base === undefined || two.base === undefined || one.base === two.base)

  it('are never planned on an answer of another version, whatever mix of versions the answers are of', () => {
    fc.assert(
      fc.property(
        fc.tuple(version, version, version, version),
        fc.subarray(conditions, { minLength: 1, maxLength: 3 }),
        fc.constantFrom<Trust>('operator', 'repository'),
        ([evaluated, ofChanges, ofCommits, ofVersions], asked, trust) => {
          const rule1 = rule(`{ all: [${asked.join(', ')}] }`, '{ approve: true, accept: true }')
          const mr = mergeRequest(fieldsOf(evaluated))
          const given: Record<string, SourceAnswer> = {
            ...answers(fieldsOf(evaluated)),
            project: answer({ id: 1, default_branch: evaluated.target }),
            changes: docs(fieldsOf(ofChanges)),
            commits: answer([{ ...commit, id: ofCommits.sha }]),
            versions: answer([{ id: 1, head_commit_sha: ofVersions.sha, created_at: '2026-01-01T00:00:00Z' }]),
          }
          const { calls } = decided(input([file(rules(rule1), { trust })], { answers: given }))
          const uses = (pattern: RegExp) => asked.some((each) => pattern.test(each))
          const mayCount =
            (isSame(evaluated, ofChanges) || !(uses(/changed/) || trust === 'repository')) &&
            (evaluated.sha === ofCommits.sha || !uses(/commit/)) &&
            (evaluated.sha === ofVersions.sha || !uses(/versions|inactive/))
          expect(calls.map(({ action, params }) => [action, params.sha])).toEqual(
            mayCount
              ? [
                  ['approve', mr.sha],
                  ['accept', mr.sha],
                ]
              : [],
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})
