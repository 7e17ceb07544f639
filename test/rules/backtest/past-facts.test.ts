// The facts of a merge request just before it was merged or closed.
import { describe, expect, it } from 'vitest'
import { type LastEvaluation, pastMoment, seenOfLast, unknownIn } from '../../../src/rules/backtest/past-facts.ts'
import type { Fact } from '../../../src/rules/facts/definition/fact.ts'
import { facts } from '../../../src/rules/facts/index.ts'
import { overriddenFact } from '../../../src/rules/facts/reading/fact-view.ts'
import type { FactValue } from '../../../src/rules/types.ts'
import { factsOf } from '../world.ts'

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
const event = ['actor', 'actor_access', 'changed_fields', 'command', 'comment', 'event', 'ref', 'ref_change']
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
