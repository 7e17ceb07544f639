// Changes in pages: only where one answer has not all, and only between two reads of one version.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { answersOfOtherVersions } from '../../../../src/rules/facts/reading/evaluated-version.ts'
import type { SourceAnswers } from '../../../../src/rules/types.ts'
import { answer, answers, change, changesAnswer, file, head, input, rule, rules, verdictOf } from '../../world.ts'

const refs = { base_sha: 'b'.repeat(40), start_sha: 'c'.repeat(40), head_sha: head }
const fields = { changes_count: '2', diff_refs: refs }
const version = (id: unknown = 5, more: object = {}) =>
  answer([{ id, head_commit_sha: head, base_commit_sha: refs.base_sha, start_commit_sha: refs.start_sha, ...more }])
const cut = changesAnswer([change('docs/a')], { ...fields, overflow: true })
const refused = { ok: false as const, reason: '404 Not Found', status: 404 }
const pages = answer([change('docs/a'), change('docs/b')])
const paged = (more: SourceAnswers = {}, mr: object = {}) =>
  answers({ ...fields, ...mr }, { changes: cut, diffsBefore: version(), diffs: pages, diffsAfter: version(), ...more })
const allDocs = '{ changed_files: { all: "docs/**" } }'
const verdict = (given: SourceAnswers) => verdictOf(allDocs, { answers: given })

describe('a list in pages', () => {
  it.each([
    ['was cut', paged()],
    ['was refused', paged({ changes: refused })],
  ])('counts where the list in one answer %s', (_what, given) => {
    expect(verdict(given)).toBe('true')
    expect(verdictOf('{ lines_changed: 4 }', { answers: given })).toBe('true')
  })
  it.each([
    ['the version changed while the pages were read', paged({ diffsAfter: version(6) })],
    [
      'the head moved away and back: the version is another',
      paged({ diffsBefore: version(4), diffsAfter: version(6) }),
    ],
    ['the versions are of another head', paged({}, { sha: 'd'.repeat(40) })],
    ['the versions have another base', paged({}, { diff_refs: { ...refs, base_sha: 'e'.repeat(40) } })],
    ['the versions began at another commit of the target', paged({}, { diff_refs: { ...refs, start_sha: 'e' } })],
    ['the merge request shows no commits of its version', paged({}, { diff_refs: null })],
    ['the versions have no number', paged({ diffsBefore: version(null), diffsAfter: version(null) })],
    ['there is no version', paged({ diffsBefore: answer([]), diffsAfter: answer([]) })],
    ['the version does not say its base', paged({ diffsBefore: version(5, { base_commit_sha: null }) })],
    ['a page is missing', paged({ diffs: answer([change('docs/a'), change('docs/b')], false) })],
    ['it is shorter than the count', paged({ diffs: answer([change('docs/a')]) })],
    ['the count says 1000+', paged({}, { changes_count: '1000+' })],
    ['the service has no pages', paged({ diffs: refused })],
    ['the versions cannot be read', paged({ diffsBefore: refused })],
    ['the newest version cannot be read again', paged({ diffsAfter: refused })],
  ])('is unknown where %s', (_what, given) => {
    expect(verdict(given)).toBe('unknown')
    expect(verdict({ ...given, changes: refused })).toBe('unknown')
  })
  it.each([
    ['collapsed', { ...change('docs/b', 'docs/b', ''), collapsed: true }],
    ['too large', { ...change('docs/b', 'docs/b', ''), too_large: true }],
  ])('with an entry that is %s has a path and no known number of lines', (_what, entry) => {
    const given = paged({ diffs: answer([change('docs/a'), entry]) })
    expect(verdict(given)).toBe('true')
    expect(verdictOf('{ lines_changed: { less_than: 9 } }', { answers: given })).toBe('unknown')
    expect(verdictOf('{ lines_changed: { less_than: 2 } }', { answers: given })).toBe('false')
  })
})

describe('what is read', () => {
  const text = rules(rule(allDocs, '{ subscribe: true }'))
  const needs = (given: SourceAnswers) => {
    const { diffsBefore: _none, ...rest } = answers(fields, { changes: cut })
    const result = decide(input([file(text)], { answers: { ...rest, ...given } }))
    return 'needs' in result ? result.needs : []
  }
  it('is the version, the pages, and the version again, in this order', () => {
    expect(needs({})).toEqual(['diffsBefore'])
    expect(needs({ diffsBefore: version() })).toEqual(['diffs'])
    expect(needs({ diffsBefore: version(), diffs: pages })).toEqual(['diffsAfter'])
    expect(needs({ diffsBefore: version(), diffs: pages, diffsAfter: version() })).toEqual([])
  })
  it('is nothing more where one answer has all, or where no list can be known to be complete', () => {
    expect(needs({ changes: changesAnswer([change('docs/a'), change('docs/b')], fields) })).toEqual([])
    const many = answers({ ...fields, changes_count: '1000+' }).mergeRequest as SourceAnswers[string]
    expect(needs({ mergeRequest: many })).toEqual([])
  })
  it('is read again where a version is of another head', () => {
    const given = paged({ diffsAfter: version(6, { head_commit_sha: 'd'.repeat(40) }) })
    expect(answersOfOtherVersions({ answers: given })).toEqual(['diffsAfter'])
  })
})
