// What operators take, and what they say about anything else.
import { describe, expect, it } from 'vitest'
import { factNamed, facts } from '../../../../src/rules/facts/index.ts'
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
import { operators } from '../../../../src/rules/language/operators/operators.ts'
import type { Issue, Shape } from '../../../../src/rules/language/values/shapes.ts'
import { problemsIn, rule, rules } from '../../world.ts'

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

const problems = (condition: string) => problemsIn(rules(rule(condition, '{ subscribe: true }')))

describe('members_of', () => {
  it.each([
    '{ approved_by: { members_of: team/security } }',
    '{ approved_by: { members_of: team/security, at_least: 2, access: developer } }',
    '{ approved_by: { not: { members_of: team } } }',
    '{ any: [{ author: { members_of: team } }, { not: { assignee: { members_of: team } } }] }',
  ])('is written as %s', (condition) => {
    expect(problems(condition)).toEqual([])
  })
  it.each([
    ['{ approved_by: { members_of: "@team/security" } }', 'did you mean "team/security"'],
    ['{ approved_by: { members_of: "team security" } }', 'expected the full path of a group'],
    ['{ approved_by: { members_of: [a, b] } }', 'expected the full path of a group'],
    ['{ approved_by: { members_of: team, at_least: 0 } }', 'expected a whole number from 1 to 100'],
    ['{ approved_by: { members_of: team, access: boss } }', 'expected one of'],
    ['{ approved_by: { members_of: team, any: [alice] } }', 'the unknown key "any"'],
    ['{ author: { members_of: team, at_least: 2 } }', 'the unknown key "at_least"'],
    ['{ labels: { members_of: team } }', 'the unknown key "members_of"'],
  ])('is refused as %s', (condition, problem) => {
    expect(problems(condition).join('\n')).toContain(problem)
  })
  it('is for every fact that names users, and no other', () => {
    const users = Object.keys(facts).filter((name) => factNamed(name)?.names === 'user')
    const typed = Object.keys(facts).filter((name) => factNamed(name)?.type.users === true)
    expect(typed).toEqual(users)
  })
  it.each([
    [{ members_of: 'team' }, 'a member of team'],
    [{ members_of: 'team', at_least: 2, access: 'maintainer' }, '2 members of team with maintainer or above'],
  ])('%j is said as %s', (expected, words) => {
    expect(operators.members_of.say(expected)).toBe(words)
  })
})
