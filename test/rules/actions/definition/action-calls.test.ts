// One update: all plain fields that rules change are one call, and every rule and action is named in it.
import type { EndpointName } from '../../../../src/api/call-data.ts'
import { endpointsByName } from '../../../../src/api/index.ts'
import {
  chatCall,
  combineUpdates,
  findBotNote,
  isActionOf,
  isCallOf,
  postOf,
  withMark,
} from '../../../../src/rules/actions/definition/action-calls.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import type { Call } from '../../../../src/rules/types.ts'
import { happened, onEvent, overTime, whileOn } from '../../over-time.ts'
import { head, rememberAs, rememberDone, rule, sent } from '../../world.ts'

const call = (
  endpoint: EndpointName,
  action: string,
  params: object,
  rules: string[],
  more: Partial<Call> = {},
): Call => ({
  to: 'service',
  endpoint,
  action,
  params: { id: 1, ...params },
  rules,
  ...more,
})
const update = (action: string, params: object, rules: string[], more: Partial<Call> = {}) =>
  call('mergeRequests.update', action, params, rules, more)

describe('the updates of one decision', () => {
  it('are joined at the place of the first; all others keep their order', () => {
    const [a, b, c] = [
      call('mergeRequests.approve', 'a', {}, []),
      call('mergeRequests.todo', 'b', {}, []),
      call('mergeRequests.accept', 'c', {}, []),
    ]
    const joined = combineUpdates([
      a,
      update('label', { add_labels: 'x' }, ['one']),
      b,
      update('assign', { assignee_id: 3 }, ['two', 'one']),
      c,
    ])
    expect(joined).toEqual([
      a,
      update('label', { add_labels: 'x', assignee_id: 3 }, ['one', 'two'], { with: ['assign'] }),
      b,
      c,
    ])
  })
  it('of another merge request are not joined with them', () => {
    const [own, other, more] = [
      update('label', { merge_request_iid: 7, add_labels: 'x' }, ['one']),
      update('backport', { merge_request_iid: 9, state_event: 'close' }, ['two']),
      update('assign', { merge_request_iid: 7, assignee_id: 3 }, ['one']),
    ]
    expect(combineUpdates([own, other, more])).toEqual([
      expect.objectContaining({ params: { ...own.params, ...more.params } }),
      other,
    ])
  })
  it('keep what each is to be remembered by, and what each found before it', () => {
    const [joined] = combineUpdates([
      update('a', {}, [], { memo: { x: 1 }, before: { p: 1 } }),
      update('b', {}, []),
      update('c', {}, [], { memo: { y: 2 }, before: { q: 2 } }),
    ])
    expect([joined?.memo, joined?.before]).toEqual([
      { x: 1, y: 2 },
      { p: 1, q: 2 },
    ])
  })
  it('send no entry of a list that one of them takes off', () => {
    const calls = [
      update('review', { reviewer_ids: [5, 3] }, ['one'], { takesOff: { reviewer_ids: [2] } }),
      update('review', { reviewer_ids: [5, 2, 4], assignee_ids: [2] }, ['two']),
    ]
    const params = { reviewer_ids: [5, 3, 4], assignee_ids: [2] }
    expect(combineUpdates(calls)).toEqual([update('review', params, ['one', 'two'])])
    expect(combineUpdates(calls.toReversed())[0]?.params.reviewer_ids).toEqual([5, 4, 3])
  })
  it('of one action name it once', () => {
    expect(
      combineUpdates([update('update', { title: 'a' }, ['one']), update('update', { squash: true }, ['two'])]),
    ).toEqual([update('update', { title: 'a', squash: true }, ['one', 'two'])])
  })
  it.each([[[]], [[call('mergeRequests.approve', 'a', {}, [])]], [[update('label', { add_labels: 'x' }, ['one'])]]])(
    'that are fewer than two stay',
    (calls) => {
      expect(combineUpdates(calls)).toEqual(calls)
    },
  )
  it('belong to each action that they are with', () => {
    const joined = update('label', {}, [], { with: ['assign'] })
    expect(['label', 'assign', 'milestone'].map((name) => isCallOf(joined, name))).toEqual([true, true, false])
  })
})

describe('several rules', () => {
  const texts = [
    rule('{ author: alice }', '{ assign: carol, milestone: "17.0" }', 'people'),
    rule('{ author: alice }', '{ label: { add: a } }', 'labels'),
    whileOn('{ label: { while: b } }', 'holds'),
    onEvent('push', '{ update: { title: "By {{ actor }}" } }', 'titles'),
    rule('{ author: alice }', '{ accept: { squash: true } }', 'merges'),
  ]
  const events = [happened('push')]
  const turn = () => overTime({ labels: ['on'] }).turn(texts, { events })

  it('become one update, and the merge comes after it', () => {
    expect(sent(turn())).toEqual([
      ['mergeRequests.update', { assignee_id: 3, milestone_id: 4, add_labels: 'a,b', title: 'By alice', squash: true }],
      ['mergeRequests.accept', { sha: head, squash: true }],
    ])
  })
  it('are all named in it, with all actions', () => {
    const [joined] = turn().calls
    expect([joined?.action, ...(joined?.with ?? [])].sort()).toEqual([
      'accept',
      'assign',
      'label',
      'milestone',
      'update',
    ])
    expect(joined?.rules.map((key) => key.split('#')[1]).sort()).toEqual([
      'holds',
      'labels',
      'merges',
      'people',
      'titles@d1',
    ])
  })
  it('are all done with it, each as its own', () => {
    const memory = rememberDone(emptyMemory(), turn())
    expect(memory.rules).toMatchObject({
      'rules/test.yml#people': { done: ['assign', 'milestone'] },
      'rules/test.yml#labels': { done: ['label'] },
    })
    expect(memory.of?.label).toEqual(['b'])
    expect(memory.events).toEqual({ d1: { 'rules/test.yml#titles': ['update'] } })
  })
  it('are all not done where it was refused; only the event is over', () => {
    const memory = rememberAs('refused', turn())
    expect(Object.values(memory.rules).flatMap(({ done }) => done)).toEqual([])
    expect([memory.of?.label, memory.events]).toEqual([undefined, { d1: { 'rules/test.yml#titles': ['update'] } }])
  })
  it('come to rest', () => {
    const mr = overTime({ labels: ['on'] }).after(texts, { events })
    expect(mr.sends(texts, { events })).toEqual([])
  })
})

test('a post is a call that goes to a chat, which no endpoint of the API is', () => {
  const post = { id: 1, merge_request_iid: 7, to: 'team-chat', text: 'Hello', key: 'k' }
  const call = chatCall(post)
  expect([call.to, postOf(call), endpointsByName.has(call.endpoint)]).toEqual(['chat', post, false])
})

it('an action is for merge requests, also for issues or events of the project where it says so', () => {
  const subjects = ['merge_request', 'issue', 'project'] as const
  expect(subjects.map((each) => isActionOf({}, each))).toEqual([true, false, false])
  expect(subjects.map((each) => isActionOf({ on: 'issues' }, each))).toEqual([true, true, false])
  expect(subjects.map((each) => isActionOf({ on: 'projects' }, each))).toEqual([true, false, true])
})

const bot = { id: 9 }
const marked = withMark('Hello', 'a rule') ?? ''
const note = (id: number, body: string, more: object = {}) => ({ id, body, author: bot, system: false, ...more })

it('is found by its mark, whatever the service did to its ends', () => {
  expect(findBotNote([note(2, 'other'), note(1, ` ${marked.replaceAll('\n', '\r\n')} `)], 'a rule', bot)).toEqual({
    id: 1,
    body: marked,
  })
})

it('the newest counts, and what is no list has none', () => {
  expect(findBotNote([note(5, marked), note(4, marked)], 'a rule', bot)?.id).toBe(5)
  expect(findBotNote({ message: 'no' }, 'a rule', bot)).toBeUndefined()
})

it('does not name the rule, and an empty text is none', () => {
  expect(marked).not.toContain('a rule')
  expect(withMark(' \n ', 'a rule')).toBeUndefined()
})
