// members_of: how it is written, and what it says.
import { describe, expect, it } from 'vitest'
import { factNamed, facts } from '../../../../src/rules/facts/index.ts'
import { operators } from '../../../../src/rules/language/operators/operators.ts'
import { problemsIn, rule, rules } from '../../world.ts'

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
