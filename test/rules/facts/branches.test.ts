// Branches and forks.

import { facts } from '../../../src/rules/facts/index.ts'
import { actualOf, unsaid } from '../actual.ts'
import { answer, answers, mergeRequest, verdictOf } from '../world.ts'

describe('branches', () => {
  it.each([
    ['{ source_branch: feature }', {}, 'true'],
    ['{ source_branch: { glob: "renovate/*" } }', { source_branch: 'renovate/a' }, 'true'],
    ['{ source_branch: { glob: "renovate/*" } }', { source_branch: 'renovate/a/b' }, 'false'],
    ['{ source_branch: { glob: "renovate/**" } }', { source_branch: 'renovate/a/b' }, 'true'],
    ['{ target_branch: [main, develop] }', {}, 'true'],
    ['{ target_branch: main }', { target_branch: null }, 'unknown'],
    ['{ from_fork: true }', { source_project_id: 2 }, 'true'],
    ['{ from_fork: false }', {}, 'true'],
    ['{ from_fork: false }', { target_project_id: undefined }, 'true'],
    // The fork was deleted.
    ['{ from_fork: true }', { source_project_id: null }, 'true'],
    ['{ from_fork: false }', { source_project_id: undefined }, 'unknown'],
  ])('%s of %j is %s', (conditions, fields, verdict) => {
    expect(verdictOf(conditions, { answers: answers(fields) })).toBe(verdict)
  })
  it('the default branch is the project’s', () => {
    expect(verdictOf('{ default_branch: main }')).toBe('true')
    expect(
      verdictOf('{ default_branch: main }', { answers: answers({}, { project: answer({ default_branch: null }) }) }),
    ).toBe('unknown')
  })
  it.each([
    ['{ commits_behind: { at_least: 1 } }', { diverged_commits_count: 2 }, 'true'],
    ['{ commits_behind: { at_least: 1 } }', { diverged_commits_count: 0 }, 'false'],
    ['{ commits_behind: 0 }', {}, 'unknown'],
  ])('%s of %j is %s', (conditions, fields, verdict) => {
    const divergence = answer({ ...mergeRequest(), ...fields })
    expect(verdictOf(conditions, { answers: answers({}, { divergence }) })).toBe(verdict)
  })
})

it.each([
  ['source_project_id: 1', { source_project_id: 4 }, '4'],
  // A fork that is gone.
  ['source_project_id: 1', { source_project_id: null }, unsaid],
])('%s of %j is %s', (condition, fields, expected) => {
  expect(actualOf(condition, fields)).toBe(expected)
})

it('is never another: a delivery can be believed', () => {
  const stable = Object.entries(facts).flatMap(([name, fact]) =>
    'stable' in fact && fact.stable === true ? [name] : [],
  )
  expect(stable.sort()).toEqual(['author', 'from_fork', 'iid', 'source_branch', 'source_project_id'])
})
