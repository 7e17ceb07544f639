// Matching the values of a list: the same answers as one by one, however often and in whatever order they are asked.
import fc from 'fast-check'
import { createMatcher } from '../../../../src/rules/language/operators/list-match.ts'
import { expressionPattern, type GlobKind, globPattern } from '../../../../src/rules/language/patterns/patterns.ts'
import type { Verdict } from '../../../../src/rules/language/values/rule-types.ts'

const ordinary = fc.constantFrom('a', 'b', 'docs/a.md', 'docs/b/c.md', 'docs/b/c/d.ts', 'src/a.ts', 'docs.md/a', '.md')
const path = fc.oneof(
  { weight: 2, arbitrary: ordinary },
  { weight: 1, arbitrary: fc.constantFrom('/a', 'a/', 'docs/../a', 'src/a\ndocs/b', 'a.md\n') },
)
const word = fc.oneof(
  { weight: 5, arbitrary: path },
  { weight: 1, arbitrary: fc.constantFrom('', 'x'.repeat(100_001), 7) },
)
const item = fc.oneof(
  fc.constantFrom('a', 'docs/**', 'docs/b/**', 'docs/*', '*.ts', '**/*.md', '**/*.ts', 'docs/b/c.md', '{a,b}'),
  fc.constant({ matches: '^docs/' }),
)
const questions = fc.array(
  fc.tuple(fc.array(item, { minLength: 1, maxLength: 3 }), fc.constantFrom('path' as const, 'name' as const)),
  {
    maxLength: 4,
  },
)

/** One item and one value, asked of the pattern itself. */
function fits(one: string | { matches: string }, kind: GlobKind, value: string | number): Verdict {
  if (typeof value !== 'string') return 'unknown'
  const pattern = typeof one === 'string' ? globPattern(one, kind) : expressionPattern(one.matches)
  if (pattern.unmatched(value) !== undefined) return 'unknown'
  return pattern.matches(value) ? 'true' : 'false'
}

it('answers as its items would one by one, also when it was asked before, of short lists and long ones', () => {
  const given: Record<string, number> = {}
  fc.assert(
    // Half of the lists have nothing but ordinary paths, as most do: they are looked up in, not looked through.
    fc.property(
      fc.oneof(fc.array(word), fc.array(ordinary, { minLength: 8, maxLength: 40 })),
      questions,
      (values, asked) => {
        for (const [expected, kind] of [...asked, ...asked]) {
          const each = values.map((value): Verdict => {
            const one = expected.map((one) => fits(one, kind, value))
            return one.includes('true') ? 'true' : one.includes('unknown') ? 'unknown' : 'false'
          })
          const matcher = createMatcher(expected, kind)
          const some = each.includes('true') ? 'true' : each.includes('unknown') ? 'unknown' : 'false'
          expect(matcher.some(values)).toBe(some)
          expect(matcher.every(values)).toBe(
            each.includes('false') ? 'false' : each.includes('unknown') ? 'unknown' : 'true',
          )
          expect(values.flatMap((value) => (typeof value === 'string' ? matcher.some(value) : 'unknown'))).toEqual(each)
          given[some] = (given[some] ?? 0) + 1
        }
      },
    ),
    { numRuns: 150 },
  )
  expect(Object.keys(given).sort()).toEqual(['false', 'true', 'unknown'])
})

it.each([
  ['in order', ['a/b/c', 'a/d', 'docs/x', 'e/f/g', 'lib/a', 'lib/b', 'src/a', 'top']],
  ['in no order', ['src/a', 'lib/a', 'lib/b', 'a/b/c', 'a/d', 'docs/x', 'e/f/g', 'top']],
])('finds every folder of a list %s, no matter what else the list has', (_order, values) => {
  const found = (folder: string) => createMatcher(`${folder}/**`, 'path').some(values)
  expect(
    ['src', 'lib', 'a', 'a/b', 'docs', 'e', 'e/f', 'top', 'b', 'f'].filter((each) => found(each) === 'true'),
  ).toEqual([...['src', 'lib', 'a', 'a/b', 'docs', 'e', 'e/f']])
})

it('keeps the kinds of one glob apart: in a path a star stops at a slash', () => {
  const list = ['src/a.ts']
  expect([createMatcher('*.ts', 'path').some(list), createMatcher('*.ts', 'name').some(list)]).toEqual([
    'false',
    'true',
  ])
})
