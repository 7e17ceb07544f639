// Types: what counts as a value of each.
import * as types from '../../../../src/rules/language/operators/fact-types.ts'

describe.each([
  ['text', types.text, ['a', ''], [null, 1, ['a']]],
  ['optionalText', types.optionalText, ['a', null], [undefined, 1]],
  ['boolean', types.boolean, [true, false], ['true', 1, null]],
  ['integer', types.integer, [0, -1], ['1', Number.NaN, Number.POSITIVE_INFINITY, null]],
  ['moment', types.moment, [0, 1.5], ['2026-01-01', Number.NaN, null]],
  ['optionalPath', types.optionalPath, ['a/b', null], [undefined, 1]],
  ['names', types.names, [[], ['a']], ['a', [1], [null], null, {}]],
  // A service may know a word that no rule may name.
  ['choice', types.choice(['a']), ['a', 'b'], [1, null]],
] as [string, types.FactType, unknown[], unknown[]][])('%s', (_name, type, values, others) => {
  it('takes its values and nothing else', () => {
    for (const value of values) expect(type.check(value)).toBe(true)
    for (const value of others) expect(type.check(value)).toBe(false)
  })
})
