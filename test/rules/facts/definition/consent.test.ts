// Whose approvals count as consent to the present content, and why others do not.
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { withApprovalEvents, withOldApprovals } from '../../../../src/rules/facts/definition/consent.ts'
import type { Memory, SourceAnswers } from '../../../../src/rules/types.ts'
import { answer, answers, bot, decideRule, head } from '../../world.ts'

const before = 'd'.repeat(40)
const author = { id: 2, username: 'alice' }
const bob = { id: 3, username: 'bob' }
const carol = { id: 4, username: 'carol' }
const pushes: Memory['pushes'] = [{ from: null, to: head, by: author }]
const by = (...users: object[]) => users.map((user) => ({ user }))
const people = by(bob, carol)

interface Given {
  memory?: Partial<Memory>
  other?: SourceAnswers
}

function decided(fact: string, body: unknown, { memory = {}, other = {} }: Given = {}) {
  const condition =
    { approved: 'false', approved_by: 'x', approved_by_service: 'x', approved_by_bot: 'true' }[fact] ?? '7'
  return decideRule(`{ ${fact}: ${condition} }`, '{ subscribe: true }', {
    answers: answers({}, { approvals: answer(body), ...other }),
    memory: { ...emptyMemory(), pushes, ...memory },
  })
}
const found = (fact: string, body: unknown, given: Given = {}) => decided(fact, body, given).rules[0]?.conditions
const approvers = (given: Given, ...users: object[]) =>
  found('approved_by', { approved_by: by(...users) }, given)?.actual
const again = 'revoke the approval, and approve again'

describe('an approval does not count', () => {
  it.each([
    ['of the author', author, 'alice wrote it'],
    ['of the author under another name', { id: 2, username: 'renamed' }, 'renamed wrote it'],
    ['of Bellhop', bot, 'bellhop is Bellhop'],
    ['of a blocked user', { ...bob, state: 'blocked' }, 'bob is blocked'],
  ])('%s', (_whose, user, said) => {
    expect(approvers({}, user, carol)).toBe(`"carol" (not counted: ${said})`)
    expect(found('approved', { approved: true, approved_by: by(user) })?.actual).toBe(`false (not counted: ${said})`)
    expect(found('approvals_given', { approved_by: by(user, carol) })?.actual).toMatch(/^1 /)
  })
  it('of who pushed to it, also if the service requires approvals', () => {
    const memory = { pushes: [...pushes.map((push) => ({ ...push, to: before })), { from: before, to: head, by: bob }] }
    const other = { [`contentComparison@${before}..${head}`]: answer({ isSame: false }) }
    for (const more of [{}, { approvals_required: 1, approvals_left: 0 }])
      expect(found('approved_by', { approved_by: people, ...more }, { memory, other })?.actual).toBe(
        '"carol" (not counted: bob pushed to it)',
      )
  })
  it('but does of who pushed only a rebase, or a merge of the target', () => {
    const memory = {
      pushes: [
        { from: null, to: before, by: author },
        { from: before, to: head, by: bob },
      ],
    }
    const other = { [`contentComparison@${before}..${head}`]: answer({ isSame: true }) }
    expect(approvers({ memory, other }, bob, carol)).toBe('"bob", "carol"')
  })
  it('while who pushed is unknown: then it may count', () => {
    const none = { memory: { pushes: [{ from: null, to: head, by: {}, unknown: 'nothing tells of it' }] } }
    const said = 'bob may have pushed to it: nothing tells of it: open it again from a new branch'
    expect(approvers(none, bob, author)).toBe(`none (not counted: alice wrote it; and more: ${said})`)
    expect(found('approved', { approved_by: by(bob) }, none)?.actual).toBe(`unknown: ${said}`)
    const unnamed = { memory: { pushes: [{ from: null, to: head, by: {} }] } }
    expect(approvers(unnamed, bob)).toBe('none (and more: bob may have pushed to it: a push names no user)')
  })
})

describe('an approval of earlier content', () => {
  const other = (isSame: boolean): SourceAnswers => ({ [`contentComparison@${before}..${head}`]: answer({ isSame }) })
  const memory = { approvals: { 3: before } }
  const old = `bob approved dddddddd, before other content was pushed: ${again}`
  it('does not count', () => {
    expect(approvers({ memory, other: other(false) }, bob, carol)).toBe(`"carol" (not counted: ${old})`)
  })
  it('counts if the content is the same', () => {
    expect(approvers({ memory, other: other(true) }, bob)).toBe('"bob"')
  })
  it('counts if the service requires approvals: it decides which a push removes', () => {
    const body = { approved_by: by(bob), approvals_required: 1, approvals_left: 0 }
    expect(found('approved_by', body, { memory })?.actual).toBe('"bob"')
  })
  it('is asked of git, before the rule is decided', () => {
    expect(decided('approved_by', { approved_by: by(bob) }, { memory, other: other(true) }).rules).toHaveLength(1)
  })
})

describe('a rule may let more approvals count', () => {
  const isSame = (is: boolean): SourceAnswers => ({
    [`contentComparison@${before}..${head}`]: answer({ isSame: is }),
  })
  const byPushers = [
    { from: null, to: before, by: author },
    { from: before, to: head, by: bob },
  ]
  /** alice wrote it, bob pushed to it after carol approved. */
  function counted(condition: string, memory: Partial<Memory> = {}) {
    const found = decideRule(`{ approved_by: ${condition} }`, '{ subscribe: true }', {
      answers: answers({}, { approvals: answer({ approved_by: by(author, bob, carol) }), ...isSame(false) }),
      memory: { ...emptyMemory(), pushes: byPushers, approvals: { 2: head, 3: head, 4: before }, ...memory },
    }).rules[0]?.conditions
    return [found?.condition, found?.actual.replace(/ \(not counted.*/, '')]
  }
  it.each([
    ['{ any: x }', 'approved_by', 'none'],
    ['{ any: x, author: counts }', 'approved_by (author counts)', '"alice"'],
    ['{ any: x, pushers: counts }', 'approved_by (pushers counts)', '"bob"'],
    ['{ any: x, stale: counts }', 'approved_by (stale counts)', '"carol"'],
    ['{ stale: counts, any: x, author: counts }', 'approved_by (author, stale count)', '"alice", "carol"'],
    [
      '{ any: x, author: counts, pushers: counts, stale: counts }',
      'approved_by (author, pushers, stale count)',
      '"alice", "bob", "carol"',
    ],
  ])('%s', (condition, name, expected) => {
    expect(counted(condition)).toEqual([name, expected])
  })
  it('after a rebase of Bellhop too', () => {
    const memory = { oldApprovals: { by: [4] }, approvals: { 4: head } }
    expect(counted('{ any: x, stale: counts }', memory)[1]).toBe('"carol"')
  })
  it('but never that of Bellhop or a blocked user', () => {
    const blocked = { ...carol, state: 'blocked' }
    const found = decideRule(
      '{ approvals_given: { at_least: 1, author: counts, pushers: counts, stale: counts } }',
      '{ subscribe: true }',
      { answers: answers({}, { approvals: answer({ approved_by: by(bot, blocked) }) }) },
    ).rules[0]?.conditions
    expect(found?.actual).toBe('0 (not counted: bellhop is Bellhop; carol is blocked)')
  })
  it('is overridden as the fact itself', () => {
    const is = { is: 'known' as const, value: ['bob'], complete: true }
    const decision = decideRule('{ approved_by: { any: bob, stale: counts } }', '{ subscribe: true }', {
      overrides: [{ fact: 'approved_by', is }],
    })
    expect(decision.rules[0]?.verdict).toBe('true')
  })
  it('by members of a group, and in a not', () => {
    const members = { 'groupDirectMembers@acme/docs': answer([{ ...author, state: 'active', access_level: 30 }]) }
    const given = {
      answers: answers({}, { approvals: answer({ approved_by: by(author) }), ...members }),
      memory: { ...emptyMemory(), pushes, approvals: { 2: head } },
    }
    const verdict = (condition: string) =>
      decideRule(`{ approved_by: ${condition} }`, '{ subscribe: true }', given).rules[0]?.verdict
    expect(verdict('{ members_of: acme/docs, author: counts }')).toBe('true')
    expect(verdict('{ members_of: acme/docs, stale: counts }')).toBe('false')
    expect(verdict('{ not: { members_of: acme/docs }, author: counts }')).toBe('false')
  })
})

describe('the head that was approved', () => {
  const versions = answer([
    { id: 2, head_commit_sha: head, created_at: '2026-01-05T10:00:00.500Z' },
    { id: 1, head_commit_sha: before, created_at: '2026-01-04T10:00:00Z' },
  ])
  const note = (created_at: string, user: object = bob, body = 'approved this merge request') => ({
    ...{ id: 1, system: true, author: user, body },
    created_at,
  })
  const same: SourceAnswers = { [`contentComparison@${before}..${head}`]: answer({ isSame: false }) }
  const approvedAt = (notes: object[], approval: object = {}, memory: object = {}) =>
    found(
      'approved_by',
      { approved_by: [{ user: bob, ...approval }] },
      { other: { versions, notes: answer(notes), ...same }, memory },
    )?.actual
  it.each([
    ['is the newest one of that time, by the note of the service', [note('2026-01-05T10:00:01Z')], {}, '"bob"'],
    ['by the newest of its notes', [note('2026-01-05T10:00:01Z'), note('2026-01-04T11:00:00Z')], {}, '"bob"'],
    ['by the time that the service shows', [], { approved_at: '2026-01-06T00:00:00Z' }, '"bob"'],
  ])('%s', (_how, notes, approval, expected) => {
    expect(approvedAt(notes, approval)).toBe(expected)
  })
  it('is an earlier one before the push', () => {
    expect(approvedAt([note('2026-01-04T11:00:00Z')])).toContain('bob approved dddddddd, before other content')
  })
  it.each([
    ['2026-01-05T10:00:01Z', '"bob"'],
    ['2026-01-05T09:59:59Z', `none (not counted: bob approved dddddddd, before other content was pushed: ${again})`],
  ])('is the one that a hook names, unless it was pushed after the approval of %s', (approved_at, expected) => {
    expect(approvedAt([], { approved_at }, { approvals: { 3: head } })).toBe(expected)
  })
  it.each([
    ['in the second of a push', [note('2026-01-05T10:00:00.900Z')], 'a push came in the same second'],
    ['without a note', [], 'no note tells of it'],
    ['by a note of another user', [note('2026-01-06T00:00:00Z', carol)], 'no note tells of it'],
    ['by what a person wrote', [{ ...note('2026-01-06T00:00:00Z'), system: false }], 'no note tells of it'],
    ['before every version', [note('2026-01-01T00:00:00Z')], 'no version is older'],
  ])('is unknown %s', (_when, notes, reason) => {
    expect(approvedAt(notes)).toBe(`none (and more: bob approved at a time that is unknown (${reason}): ${again})`)
  })
  it('is known from events: those of a user until they revoke it', () => {
    const event = (kind: string, actor: object, at?: string) => ({
      id: kind,
      event: { kind: `merge_request.${kind}`, actor, at: '2026-01-05T00:00:00Z', head: at },
    })
    const heads = (...events: ReturnType<typeof event>[]) =>
      withApprovalEvents({ ...emptyMemory(), approvals: { 4: before } }, events).approvals
    expect(heads(event('approved', bob, head), event('approval', carol, head))).toEqual({ 3: head, 4: head })
    expect(heads(event('unapproval', carol), event('approved', bob))).toEqual({})
    expect(heads(event('update', bob, head))).toEqual({ 4: before })
  })
})

describe('approvals from before a rebase that may have changed the content', () => {
  const old = `bob approved before Bellhop’s rebase, which changed the content or could not be compared: ${again}`
  const all = { approved: true, approvals_left: 0, approved_by: people }
  it.each([
    ['approved_by', `"carol" (not counted: ${old})`],
    ['approvals_given', `1 (not counted: ${old})`],
    ['approved', `unknown: ${old}`],
    ['approvals_left', `unknown: ${old}`],
  ])('%s does not count them', (fact, expected) => {
    expect(found(fact, all, { memory: { oldApprovals: { by: [3] } } })?.actual).toBe(expected)
  })
  it('are all that are there, until they were read; Bellhop’s own follow its rules', () => {
    const memory = { oldApprovals: {} }
    expect(found('approved_by', all, { memory })?.actual).toMatch(
      /^none [(]not counted: bob approved .*; carol approved/,
    )
    expect(found('approved_by_bot', { approved_by: by(bot) }, { memory })?.actual).toBe('true')
  })
  it('do not count without the id of their user', () => {
    const body = { approved: true, approved_by: by({ username: 'carol' }) }
    const memory = { oldApprovals: { by: [2] } }
    expect(found('approved_by', body, { memory })?.actual).toMatch(/^none [(]not counted: carol approved/)
  })
  it('count once they were revoked, and given again', () => {
    const left = (memory: Partial<Memory>, ...given: { user: object }[]) =>
      withOldApprovals({ ...emptyMemory(), ...memory }, { approvals: answer({ approved_by: given }) }, bot).oldApprovals
    expect(left({ oldApprovals: {} }, ...people, { user: bot })).toEqual({ by: [3, 4] })
    expect(left({ oldApprovals: { by: [2, 3] } }, { user: { id: 3 } }, { user: { id: 4 } })).toEqual({ by: [3] })
    expect(left({ oldApprovals: { by: [3] } }, { user: { id: 4 } })).toBeUndefined()
    expect(withOldApprovals({ ...emptyMemory(), oldApprovals: {} }, {}, bot).oldApprovals).toEqual({})
  })
})
