// Members of groups in conditions: who counts, and what is unknown.
import { decide } from '../../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { isOwnGroup, membersIn } from '../../../../src/rules/facts/definition/group-members.ts'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'
import type { SourceAnswer, SourceAnswers } from '../../../../src/rules/types.ts'
import {
  answer,
  answers,
  decided,
  decideRule,
  file,
  head,
  input,
  refused,
  rule,
  rules,
  verdictOf,
} from '../../world.ts'

const member = (username: string, fields = {}) => ({
  ...{ id: username.length, username, state: 'active', access_level: 30, expires_at: null },
  ...fields,
})
const approvals = (...names: string[]) =>
  answer({ approved_by: names.map((username) => ({ user: { id: username.length, username } })) })
const given = (approvers: string[], group: SourceAnswer): SourceAnswers =>
  answers({}, { approvals: approvals(...approvers), 'groupDirectMembers@team/security': group })
/** Somebody else pushed it, so that the approvals count. */
const memory = { ...emptyMemory(), pushes: [{ from: null, to: head, by: { id: 99, username: 'pusher' } }] }
const verdict = (condition: string, approvers: string[], group: SourceAnswer) =>
  verdictOf(`{ approved_by: { members_of: team/security${condition} } }`, { answers: given(approvers, group), memory })

describe('approved_by with members_of', () => {
  const group = answer([
    member('alice'),
    member('Bob', { access_level: 40 }),
    member('blocked', { state: 'blocked' }),
    member('waiting', { membership_state: 'awaiting' }),
    member('ended', { expires_at: '2026-01-11' }),
    member('ending', { expires_at: '2026-01-12' }),
  ])
  it.each([
    ['', ['alice'], 'true'],
    ['', ['bob'], 'true'],
    ['', ['zoe'], 'false'],
    ['', ['blocked', 'waiting', 'ended'], 'false'],
    ['', ['ending'], 'true'],
    [', at_least: 2', ['alice', 'zoe'], 'false'],
    [', at_least: 2', ['alice', 'zoe', 'BOB'], 'true'],
    [', access: maintainer', ['alice'], 'false'],
    [', access: maintainer', ['alice', 'bob'], 'true'],
  ])('%s, approved by %j, is %s', (condition, approvers, expected) => {
    expect(verdict(condition, approvers, group)).toBe(expected)
  })
  it('is not met by Bellhop itself, which is a member of the groups that it works for', () => {
    const own = answer([member('bellhop', { access_level: 50 }), member('alice')])
    expect(verdict('', ['bellhop'], own)).toBe('false')
    expect(verdict(', at_least: 2', ['Bellhop', 'alice'], own)).toBe('false')
    expect(verdict('', ['bellhop', 'alice'], own)).toBe('true')
  })
  it.each([
    ['a member that was read approved', ['alice'], 'true'],
    ['only somebody else approved: who is missing may be a member', ['zoe'], 'unknown'],
  ])('of a group that was cut, where %s', (_what, approvers, expected) => {
    expect(verdict('', approvers, answer([member('alice')], false))).toBe(expected)
  })
  it.each([
    ['is private', refused()],
    ['may not be listed', refused(403)],
    ['is answered without a list', answer({})],
    ['has a member that cannot be read', answer([{ id: 1 }])],
    ['has a member without a state', answer([{ id: 1, username: 'zoe' }])],
  ])('is unknown where the group %s, and so is its opposite', (_what, group) => {
    expect(verdict('', ['zoe'], group)).toBe('unknown')
    expect(
      verdictOf('{ not: { approved_by: { members_of: team/security } } }', { answers: given(['zoe'], group), memory }),
    ).toBe('unknown')
  })
  it.each([
    ['is private', refused(), 'unknown: the group team/security does not exist, or Bellhop cannot see it'],
    ['was cut', answer([], false), 'none (of "zoe"; and more: team/security has more members than are read)'],
    ['has strangers', answer([{ id: 1 }]), 'none (of "zoe"; and more: team/security has members that cannot be read)'],
    ['has zoe blocked', answer([member('zoe', { state: 'blocked' })]), 'none (of "zoe (blocked or deactivated)")'],
    [
      'has zoe waiting',
      answer([member('zoe', { membership_state: 'awaiting' })]),
      'none (of "zoe (waits for activation)")',
    ],
    ['had zoe', answer([member('zoe', { expires_at: '2026-01-11' })]), 'none (of "zoe (membership ended)")'],
    ['has zoe once more', answer([member('zoe'), member('zoe', { expires_at: '2026-01-11' })]), '"zoe"'],
  ])('says what of a group counts that %s', (_what, group, actual) => {
    const { rules: traces } = decideRule('{ approved_by: { members_of: team/security } }', '{ subscribe: true }', {
      answers: given(['zoe'], group),
      memory,
    })
    expect(traces[0]?.conditions).toMatchObject({ actual })
  })
  it('means direct members; inherited ones count where the rule says so', () => {
    const lists = {
      ...given(['bob'], answer([member('alice')])),
      'groupMembers@team/security': answer([member('alice'), member('bob', { access_level: 40 })]),
    }
    const verdictWith = (more: string) =>
      verdictOf(`{ approved_by: { members_of: team/security${more} } }`, { answers: lists, memory })
    expect(verdictWith('')).toBe('false')
    expect(verdictWith(', inherited: false')).toBe('false')
    expect(verdictWith(', inherited: true')).toBe('true')
    expect(verdictWith(', inherited: true, access: maintainer')).toBe('true')
    expect(verdictWith(', inherited: true, access: owner')).toBe('false')
  })
  it('says who of them is a member, and what is missing', () => {
    const { rules: traces } = decideRule(
      '{ approved_by: { members_of: team/security, at_least: 2 } }',
      '{ subscribe: true }',
      { answers: given(['alice', 'zoe'], group), memory },
    )
    expect(traces[0]?.conditions).toMatchObject({
      expected: '2 direct members of team/security',
      actual: '"alice" (of "alice", "zoe")',
      toFix: 'approval by 2 direct members of team/security',
    })
  })
  it('reads the group only where somebody approved, and after the approvals', () => {
    const text = rules(rule('{ approved_by: { members_of: team/security } }', '{ subscribe: true }'))
    const { mergeRequest } = answers()
    const needs = (approvers?: string[]) =>
      decide(
        input([file(text)], {
          answers: {
            ...(mergeRequest === undefined ? {} : { mergeRequest }),
            versions: answer([{ id: 1, head_commit_sha: head }]),
            ...(approvers === undefined ? {} : { approvals: approvals(...approvers) }),
          },
          memory,
        }),
      )
    expect(needs()).toEqual({ needs: ['approvals'] })
    expect(needs([])).toHaveProperty('decision')
    expect(needs(['alice'])).toEqual({ needs: ['groupDirectMembers@team/security'] })
    // As many calls as the list of all takes.
    expect(sources.groupDirectMembers).toMatchObject({ cost: sources.groupMembers.cost, paged: true })
    expect(sources.groupDirectMembers.params({ project: 1, iid: 7 }, {}, 'team/security')).toEqual({
      id: 'team/security',
      per_page: 100,
    })
  })
})

describe('a group outside the project’s own top-level group', () => {
  const groups = {
    'groupDirectMembers@team': answer([member('alice')]),
    'groupDirectMembers@acme/web': answer([member('alice')]),
  }
  const of = (group: string, trust: 'operator' | 'repository', policy?: { mode: 'act'; groups: 'any' }) =>
    decided(
      input([file(rules(rule(`{ author: { members_of: ${group} } }`, '{ subscribe: true }')), { trust })], {
        answers: answers({}, groups),
        ...(policy === undefined ? {} : { policy }),
      }),
    ).rules[0]
  it('is unknown to the repository’s own rules, unless the policy allows it', () => {
    expect(of('team', 'operator')?.verdict).toBe('true')
    expect(of('team', 'repository')).toMatchObject({
      verdict: 'unknown',
      conditions: { actual: expect.stringContaining('team is not in the project’s own top-level group') },
    })
    expect(of('team', 'repository', { mode: 'act', groups: 'any' })?.verdict).toBe('true')
    expect(of('acme/web', 'repository')?.verdict).toBe('true')
  })
  it.each([
    ['acme', 'acme/door', true],
    ['Acme/web', 'acme/a/door', true],
    ['acme2', 'acme/door', false],
    ['team/acme', 'acme/door', false],
    ['acme', 'acme', false],
    ['acme', undefined, false],
  ])('%s for %s: %s', (group, project, own) => {
    expect(isOwnGroup(group, project)).toBe(own)
  })
})

it('a member of several groups above has the highest level', () => {
  const listed = [member('alice', { access_level: 10 }), member('alice', { access_level: 40 }), member('alice')]
  const { members } = membersIn({ body: listed, complete: true }, '2026-01-11T00:00:00Z')
  expect(members.get('alice')?.level).toBe(40)
})

it('the author may be a member', () => {
  const group = { 'groupDirectMembers@team': answer([member('alice')]) }
  expect(verdictOf('{ author: { members_of: team } }', { answers: answers({}, group) })).toBe('true')
  expect(verdictOf('{ author: { not: { members_of: team } } }', { answers: answers({}, group) })).toBe('false')
  expect(verdictOf('{ assignee: { members_of: team } }', { answers: answers({}, group) })).toBe('false')
})
