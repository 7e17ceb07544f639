// How deep and how large a JSON text is, told without building it: the same as building it would tell.
import fc from 'fast-check'
import { exceedsShape } from '../../src/api/hooks.ts'

function shapeOf(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const inner = Object.values(value).map(shapeOf)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  }
}

test('no JSON value within the limits is turned down, whatever its strings hold', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', '}', ']', ',', 'a', '\u2028', 'é') })
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'medium', withCrossShrink: true }, text, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  })).value
  fc.assert(
    fc.property(json, (value) => {
      const { depth, values } = shapeOf(value)
      for (const space of [0, 2]) {
        const written = JSON.stringify(value, null, space)
        expect(exceedsShape(written, { depth, values: 2 * values })).toBe(false)
        if (depth > 0) expect(exceedsShape(written, { depth: depth - 1, values: 2 * values })).toBe(true)
      }
    }),
  )
})

test('the number of values is limited as well', () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => ({})))
  expect([
    exceedsShape(list(100), { depth: 9, values: 202 }),
    exceedsShape(list(1_000), { depth: 9, values: 202 }),
  ]).toEqual([false, true])
})

test('what is no JSON ends nowhere else', () => {
  for (const odd of ['', '"', '"\\', '\\"', '[', ']]]]', '{"a', '"\\"'])
    expect(exceedsShape(odd, { depth: 1, values: 3 })).toBe(false)
})
