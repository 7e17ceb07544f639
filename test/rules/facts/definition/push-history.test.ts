// Who pushed to a branch from before Bellhop, according to the push events of its project.
import { learnPushes } from '../../../../src/rules/facts/definition/push-history.ts'
import { readCall } from '../../../../src/rules/facts/definition/source.ts'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'
import type { Memory, SourceAnswer } from '../../../../src/rules/types.ts'
import { answer, answers, refused } from '../../world.ts'

type Pushes = Memory['pushes']
const sha = (letter: string) => letter.repeat(40)

/** `alice a..b`, `alice -..b` for a new branch, `alice b..-` for a removed one; newest first. */
const event = (text: string, at: number, data: object = {}) => {
  const [, username = '', from = '', to = ''] = /^(\w*) (.)\.\.(.)$/.exec(text) ?? []
  const action = from === '-' ? 'created' : to === '-' ? 'removed' : 'pushed'
  const [commit_from, commit_to] = [from, to].map((each) => (each === '-' ? null : sha(each)))
  const created_at = `2026-01-01T00:00:${String(at).padStart(2, '0')}Z`
  const author = username === '' ? null : { id: 5, username }
  return {
    created_at,
    author,
    push_data: { ref_type: 'branch', ref: 'feature', action, commit_from, commit_to, ...data },
  }
}
const told = (events: readonly string[]) => events.map((text, at) => event(text, at)).reverse()
const push = (username: string, from: string | null, to: string): Pushes[number] => ({
  ...{ from: from && sha(from), to: sha(to), by: { username } },
})

/** What is learnt of a head `c`: names and commits, or why nothing is known. */
function learnt(events: SourceAnswer | readonly (object | null)[], known: Pushes = [], fields: object = {}): string {
  const body = { source_project_id: 9, source_branch: 'feature', sha: sha('c'), ...fields }
  const given = Array.isArray(events) ? answer(events) : (events as SourceAnswer)
  return learnPushes(given, answers(body), known)
    .map(({ from, to, by, unknown }) => `${unknown ?? by.username} ${from?.[0] ?? '-'}..${to[0]}`)
    .join(', ')
}
const apart = 'the push events of its branch do not fit together -..c'
const none = 'the service has no event of the first push to it -..c'

describe('the pushes that events tell', () => {
  it.each<[what: string, events: string[], expected: string]>([
    ['all from the first', ['alice -..a', 'bob a..c'], 'alice -..a, bob a..c'],
    ['those until the head, and no newer ones', ['alice -..c', 'bob c..d'], 'alice -..c'],
    [
      'back and forth',
      ['alice -..a', 'bob a..c', 'alice c..a', 'carol a..c'],
      'alice -..a, bob a..c, alice c..a, carol a..c',
    ],
    [
      'those after the branch was made anew',
      ['mallory -..a', 'mallory a..-', 'bob -..a', 'bob a..c'],
      'bob -..a, bob a..c',
    ],
    ['those after it was made anew, without an event of its end', ['mallory -..b', 'bob -..c'], 'bob -..c'],
    ['none of a branch that was deleted and made anew by an unknown push', ['bob -..a', 'bob a..c', 'bob c..-'], apart],
    ['none without the first', ['bob a..c'], none],
    ['none without the last', ['bob -..a'], apart],
    ['none if one between is missing', ['bob -..a', 'bob b..c'], apart],
    ['none if two disagree', ['bob -..a', 'mallory a..c', 'bob a..c'], apart],
    ['a push by nobody', [' -..c'], 'undefined -..c'],
  ])('%s', (_what, events, expected) => {
    expect(learnt(told(events))).toBe(expected)
  })

  it('are those of the branch alone', () => {
    const others = [{ ref: 'other' }, { ref_type: 'tag' }, { ref: null, ref_count: 9 }].map((data) =>
      event('eve -..c', 1, data),
    )
    expect(learnt([...others, ...told(['bob -..c'])])).toBe('bob -..c')
    expect(learnt(others)).toBe(none)
  })

  it('end where hooks begin', () => {
    const known = [push('bob', 'b', 'c')]
    expect(learnt(told(['alice -..a', 'alice a..b', 'somebody b..c']), known)).toBe('alice -..a, alice a..b')
    expect(learnt(told(['alice -..a', 'alice a..b']), known)).toBe('alice -..a, alice a..b')
    expect(learnt([], known)).toBe('the service has no event of the first push to it -..b')
    expect(learnt(told(['mallory -..c']), [push('alice', null, 'b'), ...known])).toBe('')
  })

  it.each<[events: SourceAnswer | (object | null)[], reason: string]>([
    [refused(404), 'Bellhop’s user cannot read the push events of its source project (give it access) -..c'],
    [answer([], false), 'the first push to it is not among the last 500 to its source project -..c'],
    [[null, {}, { push_data: null }], none],
    [[event('bob -..c', 1, { action: 'pushed' })], none],
    [[event('bob a..c', 2, { commit_from: null }), event('bob -..a', 1)], apart],
    [[event('bob -..c', 1, { commit_to: 7 })], apart],
    [[{ ...event('bob -..c', 1), created_at: undefined }], apart],
  ])('are unknown for %j: %s', (events, reason) => {
    expect(learnt(events)).toBe(reason)
  })

  it('are unknown of a branch with more pushes than the journal stores', () => {
    const moves = (times: number) => [
      'bob -..c',
      ...Array.from({ length: times }, () => ['bob c..a', 'bob a..c']).flat(),
    ]
    expect(learnt(told(moves(49)))).toContain('bob -..c, bob c..a')
    expect(learnt(told(moves(50)))).toBe('it has more than 100 pushes -..c')
  })
})

describe('the events that are read', () => {
  const call = (fields: Record<string, unknown>) =>
    readCall(sources.pushEvents, { project: 1, iid: 7 }, answers(fields), undefined)
  it('are those of the source project until the last update, on any clock', () => {
    const fields = { source_project_id: 9, source_branch: 'feature', updated_at: '2026-01-10T23:00:00Z' }
    expect(call(fields)?.params).toEqual({ id: 9, action: 'pushed', per_page: 100, before: '2026-01-12' })
    expect(call({ ...fields, updated_at: undefined })?.params).not.toHaveProperty('before')
    expect(call({ ...fields, source_project_id: null })).toBeNull()
  })
  it('are enough once the first push to the branch is among them', () => {
    const isEnough = (events: object[]) =>
      sources.pushEvents.isEnough?.(events, answers({ source_project_id: 9, source_branch: 'feature' }))
    expect(isEnough(told(['bob -..a']))).toBe(true)
    expect(isEnough([...told(['bob a..b']), event('bob -..a', 1, { ref: 'other' })])).toBe(false)
  })
})
