// The facts of a merge request just before it was merged or closed.
import {
  callsOf,
  type LastEvaluation,
  labelsAt,
  pastMoment,
  seenOfLast,
  sourcesOf,
  transientFacts,
  unknownIn,
} from '../../../src/rules/backtest/past-facts.ts'
import { thorough } from '../../../src/rules/backtest/totals.ts'
import { decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Fact } from '../../../src/rules/facts/definition/fact.ts'
import { facts } from '../../../src/rules/facts/index.ts'
import { createView, overriddenFact } from '../../../src/rules/facts/reading/fact-view.ts'
import type { FactValue, Override } from '../../../src/rules/types.ts'
import { answer, answers, factsOf, file, head, input, issueRule, mergeRequest, rule, rules } from '../world.ts'

const recorded = Object.entries<Fact>(facts as Record<string, Fact>).flatMap(([name, fact]) =>
  fact.recorded === true ? [name] : [],
)
const today = '2026-03-01T00:00:00.000Z'
const present: FactValue = { is: 'known', value: 'as it is today', complete: true }
/** Every fact, where the service has a present value for each. */
function past(listed: Parameters<typeof pastMoment>[0], seen?: LastEvaluation): Record<string, FactValue> {
  const overrides = pastMoment(listed, today, seen)?.overrides ?? []
  return Object.fromEntries(
    factsOf('merge_request').map(([name]) => [name, overriddenFact(name, overrides, () => present)]),
  )
}
const namesWhere = (listed: Parameters<typeof pastMoment>[0], is: (value: FactValue) => boolean) =>
  Object.entries(past(listed)).flatMap(([name, value]) => (is(value) ? [name] : []))
const asToday = (value: FactValue) => value === present

const project = [
  ...['allow_merge_on_skipped_pipeline', 'automatic_rebase_enabled', 'merge_trains_enabled', 'squash_option'],
  ...['default_branch', 'group', 'merge_method', 'only_allow_merge_if_all_discussions_are_resolved'],
  ...['only_allow_merge_if_pipeline_succeeds', 'project_archived', 'project_path', 'project_visibility', 'topics'],
]
const event = [
  'actor',
  'actor_access',
  'changed_fields',
  'command',
  'command_line',
  'comment',
  'event',
  'ref',
  'ref_change',
]
const lasting = [
  ...['author', 'changed_files', 'changed_files_count', 'commit_authors', 'commit_messages', 'commit_titles'],
  ...['commits_count', 'from_fork'],
  ...['head', 'iid', 'lines_changed', 'source_branch', 'source_project_id', 'versions_count', 'web_url'],
]

describe('one that is merged', () => {
  // A new fact is not known of the past until it is declared `lasting`.
  it('keeps what cannot change afterwards, and the project’s present settings', () => {
    expect(namesWhere({ state: 'merged' }, asToday).sort()).toEqual(
      [...project, ...event, ...lasting, 'target_branch', 'squash', 'remove_source_branch'].sort(),
    )
  })
  it('was open, not a draft, and mergeable', () => {
    expect(past({ state: 'merged' })).toMatchObject({
      state: { value: 'opened' },
      draft: { value: false },
      has_conflicts: { value: false },
      mergeability: { value: 'can_be_merged' },
      merge_commit_sha: { value: null },
    })
  })
  it('may have had other labels, approvals and another pipeline', () => {
    for (const name of ['labels', 'pipeline', 'pushed_by', 'clock'])
      expect(past({ state: 'merged' })[name]).toEqual({ is: 'absent', reason: `what ${name} was then is not known` })
  })
  it('had the labels of now without the changes since, if the events tell them all', () => {
    const event = (action: string, name: string | null, at: string) => ({
      ...{ action, label: name === null ? null : { name }, created_at: `2026-01-${at}T10:00:00Z` },
    })
    const labelsThen = (...events: object[]) => labelsAt('2026-01-05T10:00:00.000Z', ['a', 'b'], answer(events))
    const known = (...value: string[]) => ({ fact: 'labels', is: { is: 'known', value, complete: true } })
    expect(labelsThen(event('add', 'a', '01'))).toMatchObject(known('a', 'b'))
    expect(labelsThen(event('remove', 'c', '05'), event('add', 'b', '06'), event('remove', 'd', '07'))).toMatchObject(
      known('a', 'd'),
    )
    expect(labelsThen(event('add', null, '06'))).toBeUndefined()
    expect(labelsAt('2026-01-05T10:00:00.000Z', ['a'], answer([], false))).toBeUndefined()
  })
  it('had the pipeline that ended before the merge, and one that changed later is unknown', () => {
    const pipelineOf = (updated_at: string) => {
      const head_pipeline = { id: 5, sha: head, ref: 'feature', status: 'success', source: 'push', updated_at }
      const listed = { state: 'merged', merged_at: '2026-01-05T10:00:00Z' }
      const { now, overrides } = pastMoment(listed, today) ?? { now: today, overrides: [] }
      const given = input([], { answers: answers({ ...listed, head_pipeline }), now, overrides })
      return createView(given).fact('pipeline')
    }
    expect(pipelineOf('2026-01-05T09:00:00Z')).toMatchObject({ is: 'known', value: 'success' })
    expect(unknownIn(String(Object(pipelineOf('2026-01-05T11:00:00Z')).reason))).toEqual(['pipeline'])
  })
  it('was merged at the time in `merged_at`, so that clock and age are known', () => {
    const listed = { state: 'merged', merged_at: '2026-01-05T10:00:00.000Z', closed_at: null }
    expect(pastMoment(listed, today)?.now).toBe('2026-01-05T10:00:00.000Z')
    expect(past(listed)).toMatchObject({ clock: present, age: present, updated: { is: 'absent' } })
  })
})

describe('one that is closed', () => {
  it('keeps what cannot change afterwards; whether it was mergeable is unknown', () => {
    expect(namesWhere({ state: 'closed' }, asToday).sort()).toEqual([...project, ...event, ...lasting].sort())
    expect(past({ state: 'closed' })).toMatchObject({
      state: { value: 'opened' },
      draft: { is: 'absent' },
      mergeability: { is: 'absent' },
    })
  })
  it('was closed at the time in `closed_at`', () => {
    expect(pastMoment({ state: 'closed', closed_at: '2026-01-05T10:00:00Z', merged_at: null }, today)?.now).toBe(
      '2026-01-05T10:00:00.000Z',
    )
  })
})

describe('facts that Bellhop stored while it was open', () => {
  it('replace what may have changed, not what its end proves', () => {
    const seen = { labels: ['ready'], approved_by: ['carol'], milestone: null, draft: true, mergeability: 'checking' }
    expect(past({ state: 'merged' }, seen)).toMatchObject({
      ...{ labels: { value: ['ready'] }, approved_by: { value: ['carol'] }, milestone: { value: null } },
      ...{ draft: { value: false }, mergeability: { value: 'can_be_merged' }, pipeline: { is: 'absent' } },
    })
    expect(past({ state: 'closed' }, seen)).toMatchObject({
      draft: { value: true },
      mergeability: { value: 'checking' },
    })
  })
  it('count for the last head only', () => {
    const given = { labels: ['ready'] }
    expect(seenOfLast({ sha: 'abc' }, { head: 'abc', facts: given })).toBe(given)
    for (const seen of [{ head: 'older', facts: given }, { head: null, facts: given }, undefined])
      expect(seenOfLast({ sha: 'abc' }, seen)).toBeUndefined()
    expect(seenOfLast({}, { head: 'abc', facts: given })).toBeUndefined()
  })
  it('leave only long or derived facts unknown', () => {
    const unknown = Object.entries(past({ state: 'closed' }, Object.fromEntries(recorded.map((name) => [name, 0]))))
    expect(unknown.flatMap(([name, { is }]) => (is === 'absent' ? [name] : [])).sort()).toEqual(
      [
        ...['clock', 'age', 'updated', 'inactive_for', 'pushed_by', 'description', 'participants'],
        ...['closes_issues', 'closes_issue_labels', 'closes_issue_titles', 'first_contribution'],
        ...['since_approved', 'since_labelled', 'since_pushed', 'since_ready', 'since_review_requested'],
      ].sort(),
    )
  })
})

it('an open merge request, or one in an unknown state, has no past', () => {
  expect([pastMoment({ state: 'opened' }, today), pastMoment({}, today)]).toEqual([undefined, undefined])
})

it('the unknown facts are found in a sentence', () => {
  expect(unknownIn('labels is unknown: what labels was then is not known')).toEqual(['labels'])
  expect(unknownIn('something else is unknown')).toEqual([])
})

describe('an issue that is closed', () => {
  const closed = { subject: 'issue' as const, state: 'closed', closed_at: '2026-01-05T10:00:00Z' }
  const overrides = (seen?: LastEvaluation) => pastMoment(closed, today, seen)?.overrides ?? []

  it('keeps what cannot change, was open, and has only facts of issues', () => {
    const named = overrides().map(({ fact }) => fact)
    const ofIssues = factsOf('issue').map(([name]) => name)
    expect(named.filter((name) => !ofIssues.includes(name))).toEqual([])
    const kept = ofIssues.filter((name) => !named.includes(name))
    expect(kept.filter((name) => !project.includes(name) && !event.includes(name)).sort()).toEqual(
      ['age', 'author', 'clock', 'iid', 'web_url'].sort(),
    )
    expect(overrides()).toContainEqual({ fact: 'state', is: { is: 'known', value: 'opened', complete: true } })
    expect(overrides()).toContainEqual({
      fact: 'confidential',
      is: { is: 'absent', reason: 'what confidential was then is not known' },
    })
  })

  it('has what the last evaluation read while it was open', () => {
    const facts = { labels: ['bug'] }
    expect(seenOfLast(closed, { head: null, facts })).toBe(facts)
    expect(seenOfLast(closed, undefined)).toBeUndefined()
    expect(overrides(facts)).toContainEqual({
      fact: 'labels',
      is: { is: 'known', value: ['bug'], complete: true },
    })
  })
})

const pushes = [{ from: null, to: head, by: { username: 'alice' } }]
const kept = (given: ReturnType<typeof answers>) =>
  transientFacts(input([], { answers: given, memory: { ...emptyMemory(), pushes } }))
const approvals = answer({
  approvals_required: 2,
  approvals_left: 1,
  approved_by: [{ user: { id: 3, username: 'carol' } }],
})

describe('what is kept with a decision', () => {
  it('is what was read: labels, approvals, the pipeline, and what else may be another tomorrow', () => {
    expect(kept(answers({ labels: ['ready'], work_in_progress: true }, { approvals }))).toMatchObject({
      ...{
        state: 'opened',
        labels: ['ready'],
        draft: true,
        milestone: null,
        pipeline: 'success',
        mergeability: 'can_be_merged',
      },
      ...{ approvals_left: 1, approvals_given: 1, approved_by: ['carol'], time_spent: 0, assignees: [] },
    })
  })
  it('is not what nobody read, or what the service did not say', () => {
    const { labels: _labels, ...withoutLabels } = mergeRequest()
    const names = Object.keys(kept({ mergeRequest: answer(withoutLabels) }))
    expect(names).toContain('title')
    for (const name of ['labels', 'approved_by', 'author_access']) expect(names).not.toContain(name)
    expect(kept({})).toEqual({})
  })
  it('is not what was cut, and nothing that is long', () => {
    const many = Array.from({ length: 101 }, (_, index) => `label ${index}`)
    expect(kept(answers({ labels: many }))).not.toHaveProperty('labels')
    expect(kept(answers({ title: 'x'.repeat(1001) }))).not.toHaveProperty('title')
    const all = Object.values<Fact>(facts as Record<string, Fact>).filter(({ recorded }) => recorded === true)
    expect(all.filter(({ stable, ofEvents }) => stable === true || ofEvents === true)).toEqual([])
  })
})

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
      ...['approvals', 'authorAccess', 'authorAccessIn', 'changes', 'closesIssues', 'commits', 'landingCommits'],
      ...['mergeRequest', 'mergeTrain', 'notes', 'otherProject', 'pipelineCommit', 'pipelines', 'project'],
      ...['referencedIssue', 'user@carol'],
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
