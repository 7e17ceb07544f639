// Memory: which actions are done, what is approved, and who pushed.
import { describe, expect, it } from 'vitest'
import { emptyMemory, foldEvents, remember } from '../../src/rules/remember.ts'
import type { Decision, Event, Memory } from '../../src/rules/types.ts'
import { answered, answers, came, decideRule, head, rememberDone } from './world.ts'

const key = 'rules/test.yml#the rule'
const labels = (changes = {}) => decideRule('{ draft: false }', '{ label: { add: a }, subscribe: true }', changes)
const done = (memory: Memory) => memory.rules[key]?.done

describe('a one-way action', () => {
  it.each([
    ['done', 'done', 200, ['label', 'subscribe']],
    ['so already', 'already', 304, ['label', 'subscribe']],
    ['refused', 'refused', 403, []],
    ['of uncertain effect', 'ambiguous', null, []],
    ['not possible now', 'not now', 405, []],
  ] as const)('whose call was %s is remembered so', (_what, result, status, expected) => {
    expect(done(remember(emptyMemory(), answered(labels(), result, status ?? 0)))).toEqual(expected)
  })
  it('that was never sent is not done', () => {
    expect(done(remember(emptyMemory(), labels()))).toEqual([])
  })
  it('that had nothing to do is done', () => {
    expect(done(remember(emptyMemory(), labels({ answers: answers({ labels: ['a'], subscribed: true }) })))).toEqual(['label', 'subscribe'])
  })
  it('stays done while the rule holds, and is forgotten when it does not', () => {
    const memory = rememberDone(emptyMemory(), labels())
    expect(done(remember(memory, labels({ memory })))).toEqual(['label', 'subscribe'])
    expect(remember(memory, labels({ memory, answers: answers({ work_in_progress: true }) })).rules[key]).toMatchObject({
      held: false,
      done: [],
    })
  })
})

describe('a rule', () => {
  it('that is unknown is remembered as it was', () => {
    const memory = rememberDone(emptyMemory(), labels())
    const unknown = labels({ memory, answers: { mergeRequest: { ok: false, reason: '403' } } })
    expect(remember(memory, unknown).rules).toEqual(memory.rules)
    expect(remember(emptyMemory(), unknown).rules).toEqual({})
  })
  it('that is no longer in force is forgotten', () => {
    const nothing: Decision = { rules: [], calls: [], answers: [], head, files: [] }
    expect(remember(rememberDone(emptyMemory(), labels()), nothing).rules).toEqual({})
  })
})

describe('the approved head', () => {
  const approve = (changes = {}) => decideRule('{ draft: false }', '{ approve: true }', changes)
  it('is the one that the call named', () => {
    expect(rememberDone(emptyMemory(), approve()).approvedSha).toBe(head)
    expect(remember(emptyMemory(), answered(approve(), 'moved', 409)).approvedSha).toBeUndefined()
    expect(remember(emptyMemory(), answered(approve(), 'refused', 401)).approvedSha).toBeUndefined()
  })
  it('moves on where an approval of an earlier head still stands and the service refuses a second one', () => {
    const memory = { ...emptyMemory(), approvedSha: 'b'.repeat(40) }
    const given = answers({}, { approvals: { ok: true, complete: true, body: { user_has_approved: true, approved_by: [] } } })
    expect(remember(memory, answered(approve({ memory, answers: given }), 'refused', 401)).approvedSha).toBe(head)
  })
  it('is forgotten once the approval was taken back', () => {
    const memory = { ...emptyMemory(), approvedSha: head }
    const given = answers({ work_in_progress: true }, { approvals: { ok: true, complete: true, body: { user_has_approved: true } } })
    const decision = approve({ memory, answers: given })
    expect(decision.calls.map((call) => call.endpoint)).toEqual(['mergeRequests.unapprove'])
    expect(rememberDone(memory, decision)).not.toHaveProperty('approvedSha')
    const [call] = decision.calls
    expect(call && remember(memory, { ...decision, answers: [came(call, 'refused', 403)] }).approvedSha).toBe(head)
  })
})

const pushed = (from: string | null, to: string, username = 'alice', kind = 'push'): Event => ({
  kind,
  at: '',
  actor: { username },
  pushed: { from, to },
})
const opened = (to: string, username = 'alice') => pushed(null, to, username, 'merge_request.open')
const history = (...events: Event[]) =>
  foldEvents(emptyMemory(), events).pushes.map((push) => `${push.from}>${push.to} ${push.by.username}`)

describe('the history of pushes', () => {
  it.each([
    ['starts where it was opened', [opened('a')], ['null>a alice']],
    ['goes on with each push', [opened('a'), pushed('a', 'b', 'bob'), pushed('b', 'c')], ['null>a alice', 'a>b bob', 'b>c alice']],
    [
      'counts a push that two hooks tell once',
      [opened('a'), pushed('a', 'b'), pushed('a', 'b', 'alice', 'merge_request.update')],
      ['null>a alice', 'a>b alice'],
    ],
    ['counts an opening that is told twice once', [opened('a'), pushed('a', 'b'), opened('a')], ['null>a alice', 'a>b alice']],
    [
      'counts a push that is told late again once',
      [opened('a'), pushed('a', 'b'), pushed('b', 'c'), pushed('a', 'b')],
      ['null>a alice', 'a>b alice', 'b>c alice'],
    ],
    ['puts an opening that is told late first', [pushed('a', 'b', 'bob'), opened('a')], ['null>a alice', 'a>b bob']],
    ['starts anew, incomplete, after a gap', [opened('a'), pushed('b', 'c', 'bob')], ['b>c bob']],
    [
      'takes a push back and forth as three',
      [opened('a'), pushed('a', 'b'), pushed('b', 'a'), pushed('a', 'b')],
      ['null>a alice', 'a>b alice', 'b>a alice', 'a>b alice'],
    ],
    ['is not touched by other events', [opened('a'), { kind: 'pipeline.success', at: '', actor: {} }], ['null>a alice']],
  ])('%s', (_what, events, expected) => {
    expect(history(...events)).toEqual(expected)
  })
  it('keeps the last 500, and is then incomplete', () => {
    const many = Array.from({ length: 600 }, (_, index) => pushed(`${index}`, `${index + 1}`))
    const { pushes } = foldEvents(emptyMemory(), [opened('0'), ...many])
    expect(pushes).toHaveLength(500)
    expect(pushes[0]?.from).not.toBeNull()
  })
  it('leaves the memory it was given alone', () => {
    const memory = emptyMemory()
    foldEvents(memory, [opened('a')])
    expect(memory).toEqual(emptyMemory())
  })
})
