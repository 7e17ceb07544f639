// Shapes: what they take, and what they say where they do not.
import {
  bool,
  choice,
  fields,
  type Issue,
  listOf,
  onlyTrue,
  type Shape,
  shape,
} from '../../../../src/rules/language/values/shapes.ts'

const word = shape('a word', (value) => (typeof value === 'string' && value !== '' ? value : undefined), {
  type: 'string',
  minLength: 1,
})
const read = (given: Shape, value: unknown) => {
  const issues: Issue[] = []
  const taken = given.read(value, [], issues)
  return issues.length === 0
    ? { taken }
    : {
        issues: issues.map(({ path, expected, found, hint, near }) => [
          path.join('.'),
          expected,
          found ?? near ?? hint,
        ]),
      }
}

it.each([
  [bool, true, { taken: true }],
  [bool, 'true', { issues: [['', 'true or false', undefined]] }],
  [onlyTrue, false, { issues: [['', 'true', undefined]] }],
  [choice(['required', 'none']), 'none', { taken: 'none' }],
  [choice(['required', 'none']), 'non', { issues: [['', 'one of required, none', '"none"']] }],
  [listOf(word), 'a', { taken: ['a'] }],
  [listOf(word), ['a', 'b'], { taken: ['a', 'b'] }],
  [
    listOf(word),
    ['a', 1, ''],
    {
      issues: [
        ['1', 'a word', undefined],
        ['2', 'a word', undefined],
      ],
    },
  ],
  [listOf(word), [], { issues: [['', 'a list of 1 to 100', 'a list of 0']] }],
  [fields({ a: bool, b: word }), { a: true }, { taken: { a: true } }],
  [
    fields({ a: bool, b: word }),
    { a: 1, c: 2 },
    {
      issues: [
        ['c', 'one of the keys a, b', 'the unknown key "c"'],
        ['a', 'true or false', undefined],
      ],
    },
  ],
  [fields({ a: bool }, ['a']), {}, { issues: [['', 'the key "a"', 'a mapping without it']] }],
  [fields({ a: bool }), [], { issues: [['', 'a mapping with a', undefined]] }],
] as [Shape, unknown, unknown][])('a shape %# reads %j', (given, value, expected) => {
  expect(read(given, value)).toEqual(expected)
})
