// What operators take, and what they say about anything else.
import {
  age,
  boolean,
  choice,
  duration,
  integer,
  level,
  optionalText,
  text,
} from '../../../../src/rules/language/operators/fact-types.ts'
import { expression, glob, item, scalar } from '../../../../src/rules/language/operators/operator-shapes.ts'
import type { Issue, Shape } from '../../../../src/rules/language/values/shapes.ts'

function read(shape: Shape, value: unknown): unknown {
  const issues: Issue[] = []
  const found = shape.read(value, ['if'], issues)
  return issues.length === 0 ? found : issues.map(({ expected }) => expected)
}

describe('a plain value', () => {
  it.each([
    [text, 'a', 'a'],
    [optionalText, null, null],
    [boolean, true, true],
    [integer, 3, 3],
    // A working day has eight hours, a calendar day 24.
    [duration, '1d', 28_800],
    [age, '1d', 86_400],
    [choice(['a', 'b']), 'b', 'b'],
    [level, 'maintainer', 'maintainer'],
  ])('of %j is %j', (type, value, expected) => {
    expect(read(scalar(type), value)).toEqual(expected)
  })
  it.each([
    [text, null, 'a text'],
    [text, 'x'.repeat(1001), 'a text'],
    [boolean, 'yes', 'true or false'],
    [integer, 1.5, 'a whole number'],
    [duration, 15, 'a duration such as 15m, 3h30m or 2d'],
    [choice(['a', 'b']), 'c', 'one of a, b'],
  ])('of %j is not %j', (type, value, expected) => {
    expect(read(scalar(type), value)).toEqual([expected])
  })
})

describe('patterns', () => {
  it('are kept as they are written', () => {
    expect([
      read(expression, '^a+$'),
      read(glob, 'docs/**'),
      read(item, 'docs/**'),
      read(item, { matches: '^a' }),
    ]).toEqual(['^a+$', 'docs/**', 'docs/**', { matches: '^a' }])
  })
  it.each([
    [expression, '(?=a)', /RE2/],
    [glob, '{a,b}'.repeat(11), /at most 10 braces/],
    [glob, '', /a glob/],
    [item, 7, /a text, a glob/],
    [item, { matches: '(a' }, /RE2/],
    [item, { matches: 'a', glob: 'b' }, /a text, a glob/],
  ])('%# are refused at load', (shape, value, expected) => {
    expect(String(read(shape as Shape, value))).toMatch(expected)
  })
})
