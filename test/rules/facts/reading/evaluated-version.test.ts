// The version of an answer: only what is of the evaluated head, target branch and base counts.
import fc from 'fast-check'
import { answersOfOtherVersions } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { Trust } from '../../../../src/rules/language/values/rule-types.ts'
import type { SourceAnswer, SourceAnswers } from '../../../../src/rules/types.ts'
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
  pipeline,
  rule,
  rules,
  verdictOf,
} from '../../world.ts'

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
])('an answer of another version is unknown, and both are read again: %s', (_what, given, condition = ofFiles) => {
  const { actual, ...rest } = found(condition, given)
  expect(rest).toEqual({ verdict: 'unknown', again: true, calls: 0 })
  expect(actual).toMatch(/^unknown: it is of another .* than the merge request: both are read again$/)
  expect(answersOfOtherVersions({ answers: given })).toHaveLength(1)
})

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
])(
  'an answer that does not say its version is unknown, and is not read again: %s',
  (_what, given, actual, condition = ofFiles) => {
    expect(found(condition, given)).toEqual({ verdict: 'unknown', actual, again: false, calls: 0 })
  },
)

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
    ...{ sha, target_branch: target, ...pipeline('success', { sha }) },
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
