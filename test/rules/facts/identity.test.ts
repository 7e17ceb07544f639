// Which merge request it is.
import { expect, it } from 'vitest'
import { facts } from '../../../src/rules/facts/index.ts'
import { answers, decideRule } from '../world.ts'

const found = (fact: string, fields: object) =>
  decideRule(`{ ${fact}: ${fact === 'web_url' ? 'x' : '1'} }`, '{ subscribe: true }', {
    answers: answers({ ...fields }),
  }).rules[0]?.conditions.actual
const unsaid = 'unknown: the hosting service does not say'

it.each([
  ['iid', { iid: 7 }, '7'],
  ['iid', { iid: '7' }, unsaid],
  ['web_url', { web_url: 'https://a/b' }, '"https://a/b"'],
  ['web_url', { web_url: null }, unsaid],
  ['source_project_id', { source_project_id: 4 }, '4'],
  // A fork that is gone.
  ['source_project_id', { source_project_id: null }, unsaid],
])('%s of %j is %s', (fact, fields, expected) => {
  expect(found(fact, fields)).toBe(expected)
})

it('is never another: a delivery can be believed', () => {
  const stable = Object.entries(facts).flatMap(([name, fact]) =>
    'stable' in fact && fact.stable === true ? [name] : [],
  )
  expect(stable.sort()).toEqual(['author', 'from_fork', 'iid', 'source_branch', 'source_project_id'])
})
