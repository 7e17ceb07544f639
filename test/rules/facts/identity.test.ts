// Which merge request it is.
import { facts } from '../../../src/rules/facts/index.ts'
import { actualOf, unsaid } from '../actual.ts'

it.each([
  ['iid: 1', { iid: 7 }, '7'],
  ['iid: 1', { iid: '7' }, unsaid],
  ['web_url: x', { web_url: 'https://a/b' }, '"https://a/b"'],
  ['web_url: x', { web_url: null }, unsaid],
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
