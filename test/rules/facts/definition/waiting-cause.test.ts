// Causes of waiting: each fact that is one says so, by its value where only some values are.
import type { Fact } from '../../../../src/rules/facts/definition/fact.ts'
import { type FactName, facts } from '../../../../src/rules/facts/index.ts'
import { causeOf, waitingCauseNames } from '../../../../src/rules/language/values/rule-types.ts'

const named = (name: FactName): Fact => facts[name] as Fact

test.each([
  ['a fact that is a cause, whatever its value', named('pipeline').waitsFor, 'failed', 'pipeline'],
  ['a value that is a cause', named('mergeability').waitsFor, 'need_rebase', 'conflict'],
  ['a value that is none', named('mergeability').waitsFor, 'draft_status', undefined],
  ['a name that every object has', named('mergeability').waitsFor, 'constructor', undefined],
  ['an unknown value', named('mergeability').waitsFor, undefined, undefined],
  ['a fact that is none', named('labels').waitsFor, undefined, undefined],
])('%s', (_, waitsFor, value, cause) => {
  expect(causeOf(waitsFor, value)).toBe(cause)
})

test('every cause is that of some fact', () => {
  const declared = Object.values<Fact>(facts as Record<string, Fact>).flatMap(({ waitsFor }) =>
    waitsFor === undefined ? [] : typeof waitsFor === 'string' ? [waitsFor] : Object.values(waitsFor),
  )
  expect(new Set(declared)).toEqual(new Set(waitingCauseNames))
})
