// How values are said.
import { count, cut, either, show, suggest } from '../../../../src/rules/language/values/wording.ts'

describe('words', () => {
  it.each([
    ['a', '"a"'],
    ['a\nb', '"a\\nb"'],
    [5, '5'],
    [true, 'true'],
    [null, 'none'],
    [undefined, 'nothing'],
    [[], 'none'],
    [['a', 'b'], '"a", "b"'],
    [{ a: 1 }, '{"a":1}'],
    [Array.from({ length: 12 }, (_, index) => index), '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more'],
    ['x'.repeat(300), `"${'x'.repeat(200)}…"`],
  ])('for %j are %s', (value, expected) => {
    expect(show(value)).toBe(expected)
  })
  it('join, count and cut', () => {
    expect([either([]), either(['a']), either(['a', 'b']), either(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a or b',
      'a, b or c',
    ])
    expect([count(1, 'approval'), count(2, 'approval')]).toEqual(['1 approval', '2 approvals'])
    expect([1, 2].map((number) => count(number, 'delivery', 'deliveries'))).toEqual(['1 delivery', '2 deliveries'])
    expect([cut('abc', 3), cut('abcd', 3)]).toEqual(['abc', 'abc…'])
  })
})

const known = ['labels', 'label', 'approve', 'source_branch', 'if']

describe('a suggestion', () => {
  it.each([
    ['lables', 'labels'],
    ['lable', 'label'],
    ['Label', 'label'],
    ['aprove', 'approve'],
    ['source-branch', 'source_branch'],
    ['sourcebranch', 'source_branch'],
    ['of', 'if'],
    ['zebra', undefined],
    ['', undefined],
    ['l'.repeat(10_000), undefined],
  ])('for %s is %s', (name, expected) => {
    expect(suggest(name, known)).toBe(expected)
  })
  it('of nothing is nothing', () => {
    expect(suggest('a', [])).toBeUndefined()
  })
})
