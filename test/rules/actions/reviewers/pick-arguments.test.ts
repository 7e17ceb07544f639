// How a rule writes whom Bellhop picks.
import { pickArgs } from '../../../../src/rules/actions/reviewers/pick-arguments.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'
import { problemsIn, rule, rules } from '../../world.ts'

const problems = (args: string) => problemsIn(rules(rule('{ draft: false }', `{ review: ${args} }`))).join('\n')
const read = (value: unknown) => pickArgs.read(value, [], [] as Issue[])

describe('the arguments', () => {
  it.each([
    [{ from: 'alice' }, { pick: 1, from: ['alice'], by: 'turn', replace_after: 0 }],
    [
      { pick: 2, from: ['alice', 'bob'], by: 'fewest_open' },
      { pick: 2, from: ['alice', 'bob'], by: 'fewest_open', replace_after: 0 },
    ],
    [
      { from: 'code_owners', replace_after: '3d' },
      { pick: 1, from: 'code_owners', by: 'turn', replace_after: 259_200 },
    ],
    [
      { from: { members_of: 'team/backend', access: 'developer' } },
      { pick: 1, from: { members_of: 'team/backend', access: 'developer' }, by: 'turn', replace_after: 0 },
    ],
    [
      { from: { members_of: 'team/backend', inherited: true } },
      { pick: 1, from: { members_of: 'team/backend', inherited: true }, by: 'turn', replace_after: 0 },
    ],
  ])('%j', (written, args) => {
    expect(read(written)).toEqual(args)
  })
  it.each([
    ['{ pick: 2 }', 'expected the key "from"'],
    ['{ pick: 3, from: [alice, bob] }', 'expected at most 2, as many as from names'],
    ['{ pick: 0, from: alice }', 'expected a whole number from 1 to 10'],
    ['{ from: { group: team } }', 'the unknown key "group"'],
    ['{ from: { members_of: "@team" } }', 'did you mean "team"'],
    ['{ from: "@alice" }', 'did you mean "alice"'],
    ['{ from: 7 }', 'expected user names, { members_of: group }, or code_owners'],
    ['{ from: alice, by: luck }', 'expected one of turn, fewest_open'],
    ['{ from: alice, replace_after: soon }', 'expected a duration'],
    ['{ from: alice, names: bob }', 'the unknown key "names"'],
  ])('%s is refused', (args, problem) => {
    expect(problems(args)).toContain(problem)
  })
  it('replace_after is for rules that match for some time', () => {
    const text = 'rules:\n  - name: a\n    on: push\n    then: { review: { from: alice, replace_after: 1d } }\n'
    expect(problemsIn(text).join()).toContain('replace_after in a rule with on:')
  })
})
