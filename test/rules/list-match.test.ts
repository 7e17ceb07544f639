// Matching the values of a list: the same answers as asking one by one, however often and in whatever order they are asked.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fits, itemMatcher } from '../../src/rules/list-match.ts'

const word = fc.constantFrom('a', 'b', 'docs/a.md', 'docs/b/c.md', 'src/a.ts', '', 'x'.repeat(100_001))
const item = fc.oneof(fc.constantFrom('a', 'docs/**', '*.ts', '**/*.md', '{a,b}'), fc.constant({ matches: '^docs/' }))

it('answers as its items would one by one, also when it was asked before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.constant(7))),
      fc.array(fc.tuple(fc.array(item, { minLength: 1, maxLength: 3 }), fc.constantFrom('path' as const, 'name' as const)), {
        maxLength: 4,
      }),
      (values, questions) => {
        for (const [wanted, kind] of [...questions, ...questions]) {
          const each = fits(values, wanted, kind)
          for (const [index, value] of values.entries()) {
            const one = wanted.map((one) => (typeof value === 'string' ? itemMatcher(one, kind)(value) : 'unknown'))
            expect(each(index)).toBe(one.includes('true') ? 'true' : one.includes('unknown') ? 'unknown' : 'false')
          }
        }
      },
    ),
  )
})

it('keeps two lists apart, though they look alike', () => {
  const one = ['docs/a.md']
  expect(fits(one, 'docs/**', 'path')(0)).toBe('true')
  expect(fits(['src/a.md'], 'docs/**', 'path')(0)).toBe('false')
})

it('keeps the kinds of one glob apart: in a path a star stops at a slash', () => {
  const list = ['src/a.ts']
  expect([fits(list, '*.ts', 'path')(0), fits(list, '*.ts', 'name')(0)]).toEqual(['false', 'true'])
})
