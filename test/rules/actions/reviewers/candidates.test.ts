// Whom a rule may pick: groups, CODEOWNERS and what of them cannot be read.
import {
  pickArgs,
  pickedIn,
  pickedMemo,
  rememberPicked,
  whoHasBegun,
} from '../../../../src/rules/actions/reviewers/candidates.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'
import type { Memory } from '../../../../src/rules/types.ts'
import { answer, problemsIn, refused, rule, rules } from '../../world.ts'
import { pickWorld } from './pick-world.ts'

describe('from a group', () => {
  const groups = { 'team/backend': { bob: 30, carol: 20, dora: 40 } }
  it.each([
    ['{ pick: 3, from: { members_of: team/backend } }', ['bob', 'carol', 'dora']],
    ['{ pick: 3, from: { members_of: team/backend, access: developer } }', ['bob', 'dora']],
    ['{ pick: 4, from: { members_of: team/backend, access: developer, inherited: true } }', ['bob', 'dora', 'finn']],
  ])('%s asks %j', (args, names) => {
    expect(pickWorld({ groups, inherited: { 'team/backend': { finn: 30 } } }).reviewers(args)).toEqual(names)
  })
  it('needs no look-up of its members by name', () => {
    const world = pickWorld({ groups })
    world.turn('{ from: { members_of: team/backend } }')
    expect(world.asked.filter((name) => name.startsWith('user@'))).toEqual([])
  })
  it.each([
    ['does not exist, or is private', {}, 'the group team/backend does not exist, or Bellhop cannot see it'],
    ['is too large', { groups, cut: ['team/backend'] }, 'team/backend has more members than are read'],
  ])('that %s asks nobody, and says so', (_what, given, detail) => {
    expect(pickWorld(given).outcome('{ from: { members_of: team/backend } }')).toMatchObject({
      result: 'blocked',
      detail,
    })
  })
})

describe('from code_owners', () => {
  const of = (text: string, given: object = {}) => pickWorld({ files: { CODEOWNERS: text }, ...given })
  const args = '{ pick: 3, from: code_owners }'
  it('asks the owners of the changed files', () => {
    const text = '* @bob\n/src/ @carol @dora\n'
    expect(of(text).reviewers(args)).toEqual(['carol', 'dora'])
    expect(of(text, { changed: ['README.md', 'src/a.ts'] }).reviewers(args)).toEqual(['bob', 'carol', 'dora'])
  })
  it('knows users, groups with direct members, and roles; addresses and strangers are nobody', () => {
    const groups = { acme: { bob: 30 }, 'acme/web': { carol: 30 }, 'team/web': { finn: 30 } }
    const project = { dora: 40, erin: 30 }
    expect(
      of('* @acme @acme/web @team/web x@example.com @@maintainers @nobody', { groups, project }).reviewers(
        '{ pick: 9, from: code_owners }',
      ),
    ).toEqual(['bob', 'carol', 'dora'])
  })
  it('takes one of each section first, and of required sections before optional ones', () => {
    const text = '^[Docs]\n* @erin\n[Web]\n* @bob @carol\n[Api]\n* @dora\n'
    expect(of(text).reviewers('{ pick: 2, from: code_owners }')).toEqual(['bob', 'dora'])
    expect(of(text).reviewers('{ pick: 3, from: code_owners }')).toEqual(['bob', 'dora', 'erin'])
  })
  it.each([
    ['docs/CODEOWNERS', { 'docs/CODEOWNERS': '* @bob', '.gitlab/CODEOWNERS': '* @carol' }, ['bob']],
    ['.gitlab/CODEOWNERS', { '.gitlab/CODEOWNERS': '* @carol' }, ['carol']],
  ])('reads %s where the places before have none', (_path, files, names) => {
    expect(pickWorld({ files }).reviewers(args)).toEqual(names)
  })
  it.each([
    ['there is no file', {}, 'the target branch has no CODEOWNERS file'],
    ['nobody owns them', { files: { CODEOWNERS: '*.rb @bob' } }, 'nobody who can be asked owns the changed files'],
    [
      'all owners are unknown',
      { files: { CODEOWNERS: '* @nobody' } },
      'nobody who can be asked owns the changed files',
    ],
    [
      'the owners are blocked',
      { files: { CODEOWNERS: '* @bob' }, blocked: ['bob'] },
      'nobody who can be asked owns the changed files',
    ],
  ])('asks nobody where %s', (_what, given, detail) => {
    expect(pickWorld(given).outcome(args)).toMatchObject({ result: 'blocked', detail })
  })
  it('looks up at most thirty owners', () => {
    const world = of(`* ${Array.from({ length: 200 }, (_, index) => `@user-${index}`).join(' ')} @bob`)
    expect(world.outcome(args)).toMatchObject({ result: 'blocked' })
    expect(world.asked.filter((name) => name.startsWith('user@'))).toHaveLength(30)
  })
})

describe('groups outside the project’s own top-level group', () => {
  const world = () =>
    pickWorld({ groups: { 'team/web': { bob: 30 }, 'acme/web': { carol: 30 } }, files: { CODEOWNERS: '* @team/web' } })
  const of = (group: string) => `{ from: { members_of: ${group} } }`
  const any = { mode: 'act' as const, groups: 'any' as const }
  it('are for rules of the operator, and for others where the policy allows it', () => {
    expect(world().reviewers(of('team/web'))).toEqual(['bob'])
    expect(world().outcome(of('team/web'), { trust: 'repository' })).toMatchObject({
      result: 'blocked',
      detail: expect.stringContaining('team/web is not in the project’s own top-level group'),
    })
    expect(world().reviewers(of('team/web'), { trust: 'repository', policy: any })).toEqual(['bob'])
    expect(world().reviewers(of('ACME/web'.toLowerCase()), { trust: 'repository' })).toEqual(['carol'])
  })
  it('are for CODEOWNERS only where the policy allows it', () => {
    expect(world().outcome('{ from: code_owners }')).toMatchObject({ result: 'blocked' })
    expect(world().reviewers('{ from: code_owners }', { policy: any })).toEqual(['bob'])
  })
})

const empty: Memory = { rules: {}, pushes: [] }
const at = '2026-01-11T00:00:00Z'
const bob = { id: 3, name: 'bob' }
const asked = rememberPicked(empty, pickedMemo('a.yml#one', [bob]), at)

it.each([
  ['notes that were cut', answer([], false), answer([])],
  ['notes that are refused', refused(403), answer([])],
  ['notes of another shape', answer({}), answer([])],
  ['states that are refused', answer([]), refused(403)],
])('whether somebody has begun is unknown with %s', (_what, notes, states) => {
  const read = (name: string) => (name === 'notes' ? notes : states)
  const body = (name: string) => {
    const found = read(name)
    return found.ok && found.complete ? found.body : undefined
  }
  const given = { answer: read, body, fact: () => [] }
  expect(whoHasBegun(pickedIn(asked), given as never)).toBe('unknown')
})

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
