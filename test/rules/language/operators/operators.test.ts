// Operators: three-valued, and absent is never empty.
import fc from 'fast-check'
import { factNamed, facts } from '../../../../src/rules/facts/index.ts'
import * as types from '../../../../src/rules/language/operators/fact-types.ts'
import { operators, operatorsFor, sayValue } from '../../../../src/rules/language/operators/operators.ts'
import type { Json } from '../../../../src/rules/language/values/rule-types.ts'
import { answer, answers, decideRule, head, problemsIn, refused, rule, rules, verdictOf } from '../../world.ts'

const holds = (name: keyof typeof operators, value: Json, expected: Json, complete = true) =>
  operators[name].test(expected, types.names)({ value, complete })
const verdict = (value: boolean) => (value ? 'true' : 'false')

describe('scalars', () => {
  it.each([
    ['{ title: { matches: "^Add" } }', 'true'],
    ['{ title: { matches: "^add" } }', 'false'],
    ['{ title: { glob: "Add *" } }', 'true'],
    ['{ title: { not: { glob: "Add *" } } }', 'false'],
    ['{ upvotes: 1 }', 'true'],
    ['{ upvotes: { not: [0, 1] } }', 'false'],
    ['{ upvotes: { at_least: 1 } }', 'true'],
    ['{ upvotes: { more_than: 1 } }', 'false'],
    ['{ upvotes: { less_than: 1 } }', 'false'],
    ['{ upvotes: { at_least: 1, at_most: 1 } }', 'true'],
    ['{ time_estimate: { less_than: 15m } }', 'true'],
    ['{ draft: { not: true } }', 'true'],
  ])('%s is %s', (conditions, expected) => {
    expect(verdictOf(conditions)).toBe(expected)
  })
  it('a text that is too long to be matched is unknown', () => {
    expect(
      verdictOf('{ description: { matches: zebra } }', { answers: answers({ description: 'x'.repeat(100_001) }) }),
    ).toBe('unknown')
  })
  it('a text is matched up to a length that goes with its size, and beyond it says both', () => {
    const told = (length: number) => {
      const [rule] = decideRule('{ description: { matches: "[xy].{0,20}z" } }', '{ subscribe: true }', {
        answers: answers({ description: 'x'.repeat(length) }),
      }).rules
      return [rule?.verdict, rule?.conditions.actual]
    }
    expect(told(22_000)[0]).toBe('false')
    expect(told(23_000)).toEqual([
      'unknown',
      'unknown: a text of 23000 characters is not matched: this pattern takes at most 22726',
    ])
  })
  it('says of a list which limit one of its texts is beyond', () => {
    const messages = [{ id: head, title: 't', message: 'x'.repeat(23_000), author_email: 'a@example.com' }]
    const [rule] = decideRule('{ commit_messages: { any: { matches: "[xy].{0,20}z" } } }', '{ subscribe: true }', {
      answers: answers({}, { commits: answer(messages) }),
    }).rules
    expect([rule?.verdict, rule?.conditions.actual]).toEqual(['unknown', expect.stringContaining('at most 22726')])
  })
  it('a text without the plain words that the expression needs is known, though it is long', () => {
    const given = { answers: answers({ description: 'x'.repeat(90_000) }) }
    expect(verdictOf('{ description: { matches: "release.{0,400}notes" } }', given)).toBe('false')
  })
})

const nothing = {
  answers: { mergeRequest: refused(403), changes: refused(403) },
}
it.each([
  ...['title: x', 'title: [x]', 'title: { matches: x }', 'title: { glob: x }', 'labels: { any: x }'],
  ...['labels: { all: x }', 'labels: { none: x }', 'upvotes: { at_least: 0 }', 'upvotes: { less_than: 0 }'],
  ...['age: { older_than: 0m }', 'inactive_for: { newer_than: 1d }', 'author_access: { at_least: guest }'],
  ...['draft: false', 'milestone: null', 'changed_files: { none: x }'],
])('every operator over something absent is unknown, and so is its opposite %s', (condition) => {
  expect(verdictOf(`{ ${condition} }`, nothing)).toBe('unknown')
  expect(verdictOf(`{ not: { ${condition} } }`, nothing)).toBe('unknown')
})

describe('any, all and none', () => {
  const lists = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 })
  const expected = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 })
  it('say of a whole list what they say', () => {
    fc.assert(
      fc.property(lists, expected, (list, items) => {
        expect(holds('any', list, items)).toBe(verdict(list.some((each) => items.includes(each))))
        expect(holds('none', list, items)).toBe(verdict(!list.some((each) => items.includes(each))))
        expect(holds('all', list, items)).toBe(verdict(list.length > 0 && list.every((each) => items.includes(each))))
      }),
    )
  })
  it('none is the opposite of any, for cut lists as well', () => {
    const opposite = { true: 'false', false: 'true', unknown: 'unknown' }
    fc.assert(
      fc.property(
        lists,
        expected,
        fc.boolean(),
        (list, items, complete) =>
          holds('none', list, items, complete) === opposite[holds('any', list, items, complete)],
      ),
    )
  })
  it('never say of a cut list what the rest of it could deny', () => {
    fc.assert(
      fc.property(
        lists,
        lists,
        expected,
        fc.constantFrom('any' as const, 'all' as const, 'none' as const),
        (seen, rest, items, name) => {
          const early = holds(name, seen, items, false)
          if (early !== 'unknown') expect(holds(name, [...seen, ...rest], items)).toBe(early)
        },
      ),
    )
  })
  it('of a count that is a lower bound never say what more could deny', () => {
    const comparisons = fc.constantFrom('at_least', 'at_most', 'more_than', 'less_than', 'equals' as const)
    fc.assert(
      fc.property(fc.nat(5), fc.nat(5), fc.nat(8), comparisons, (least, more, limit, name) => {
        const early = holds(name as keyof typeof operators, least, limit, false)
        if (early !== 'unknown') expect(holds(name as keyof typeof operators, least + more, limit)).toBe(early)
      }),
    )
  })
})

describe('words', () => {
  it('are those of the rule', () => {
    expect(operators.any.say(['a', { matches: 'b' }], types.names)).toBe('any of "a" or matching "b"')
    expect(operators.at_most.say(5400, types.duration)).toBe('at most 1h30m')
    expect(operators.older_than.say(86_400, types.age)).toBe('older than 1d')
    expect(sayValue(86_400, types.integer)).toBe('86400')
  })
  it('of a type are its own operators', () => {
    expect(operatorsFor(types.names)).toEqual(['any', 'all', 'none'])
    expect(operatorsFor(types.text)).toEqual(['matches', 'glob'])
    expect(operatorsFor(types.boolean)).toEqual([])
    expect(operatorsFor(types.integer)).toEqual(['at_least', 'at_most', 'more_than', 'less_than'])
    expect(operatorsFor(types.level)).toEqual(['at_least', 'at_most'])
    expect(operatorsFor(types.age)).toEqual(['older_than', 'newer_than'])
    expect(operatorsFor(types.moment)).toEqual(['within'])
  })
})

const problems = (condition: string) => problemsIn(rules(rule(condition, '{ subscribe: true }')))

describe('members_of', () => {
  it.each([
    '{ approved_by: { members_of: team/security } }',
    '{ approved_by: { members_of: team/security, at_least: 2, access: developer } }',
    '{ approved_by: { members_of: team/security, inherited: true, access: developer } }',
    '{ approved_by: { not: { members_of: team } } }',
    '{ any: [{ author: { members_of: team } }, { not: { assignee: { members_of: team } } }] }',
  ])('is written as %s', (condition) => {
    expect(problems(condition)).toEqual([])
  })
  it.each([
    ['{ approved_by: { members_of: "@team/security" } }', 'did you mean "team/security"'],
    ['{ approved_by: { members_of: "team security" } }', 'expected the full path of a group'],
    ['{ approved_by: { members_of: team, at_least: 0 } }', 'expected a whole number from 1 to 100'],
    ['{ approved_by: { members_of: team, inherited: all } }', 'expected true or false'],
    ['{ approved_by: { members_of: team, inherit: true } }', 'did you mean "inherited"'],
    ['{ approved_by: { members_of: team, any: [alice] } }', 'the unknown key "any"'],
    ['{ author: { members_of: team, at_least: 2 } }', 'the unknown key "at_least"'],
    ['{ labels: { members_of: team } }', 'the unknown key "members_of"'],
  ])('is refused as %s', (condition, problem) => {
    expect(problems(condition).join('\n')).toContain(problem)
  })
  it.each([
    ['{ approved_by: { author: counts } }', 'expected author next to '],
    ['{ approved_by: { any: [bob], author: true } }', 'expected one of counts'],
    ['{ approved_by_service: { any: [bob], author: counts } }', 'the unknown key "author"'],
  ])('does not widen as %s', (condition, problem) => {
    expect(problems(condition).join('\n')).toContain(problem)
  })
  it('is for every fact that names users, and no other', () => {
    const users = Object.keys(facts).filter((name) => factNamed(name)?.names === 'user')
    const typed = Object.keys(facts).filter((name) => factNamed(name)?.type.users === true)
    expect(typed).toEqual(users)
  })
  it.each([
    [{ members_of: 'team' }, 'a direct member of team'],
    [{ members_of: 'team', inherited: false }, 'a direct member of team'],
    [{ members_of: 'team', inherited: true, at_least: 3 }, '3 members of team'],
    [{ members_of: 'team', at_least: 2, access: 'maintainer' }, '2 direct members of team with maintainer or above'],
  ])('%j is said as %s', (expected, words) => {
    expect(operators.members_of.say(expected)).toBe(words)
  })
})
