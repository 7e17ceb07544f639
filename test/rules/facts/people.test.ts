// Who wrote it, who looks after it, and who pushed.

import { decide } from '../../../src/rules/engine/decide.ts'
import { sources } from '../../../src/rules/facts/definition/sources.ts'
import type { Memory } from '../../../src/rules/types.ts'
import { actualOf, unsaid } from '../actual.ts'
import { answer, answers, file, head, input, refused, rule, rules, verdictOf } from '../world.ts'

it.each([
  ['{ author: alice }', {}, 'true'],
  ['{ author: Alice }', {}, 'false'],
  ['{ author: alice }', { author: null }, 'unknown'],
  ['{ author: { not: alice } }', { author: {} }, 'unknown'],
  ['{ assignee: null }', {}, 'true'],
  ['{ assignee: { not: null } }', { assignee: { username: 'bob' } }, 'true'],
  ['{ assignee: bob }', { assignee: { username: 'bob' } }, 'true'],
  ['{ assignee: null }', { assignee: undefined }, 'unknown'],
])('%s of %j is %s', (conditions, fields, verdict) => {
  expect(verdictOf(conditions, { answers: answers(fields) })).toBe(verdict)
})

describe('everyone who is assigned, reviews or takes part', () => {
  const [bob, carol] = [{ username: 'bob' }, { username: 'carol' }]
  it.each([
    ['assignees: x', { assignee: bob, assignees: [bob, carol] }, '"bob", "carol"'],
    ['assignees: x', { assignee: bob }, '"bob"'],
    ['assignees: x', { assignee: null }, 'none'],
    ['assignees: x', { assignee: undefined }, unsaid],
    ['assignees: x', { assignees: [{}] }, unsaid],
    ['assigned: true', { assignee: null, assignees: [] }, 'false'],
    ['assigned: true', { assignee: bob }, 'true'],
    ['assigned: true', { assignee: undefined }, unsaid],
    ['reviewers: x', { reviewers: [carol] }, '"carol"'],
    ['reviewers: x', { reviewers: undefined }, unsaid],
  ])('%s of %j: %s', (condition, fields, expected) => {
    expect(actualOf(condition, fields)).toBe(expected)
  })
  it.each([
    [[bob, carol], '"bob", "carol"'],
    [[], 'none'],
    [[null], unsaid],
  ])('participants of %j: %s', (users, expected) => {
    expect(actualOf('participants: x', {}, { participants: answer(users) })).toBe(expected)
  })
})

type Pushes = Memory['pushes']
const push = (from: string | null, to: string, username?: string): Pushes[number] => ({
  from,
  to,
  by: username === undefined ? { id: 3 } : { username },
})
const older = 'b'.repeat(40)
const unseen = 'unknown: Bellhop has not seen every push to it: open it again from a new branch'

describe('pushed_by', () => {
  it.each([
    ['everyone of a whole history', [push(null, older, 'alice'), push(older, head, 'bob')], '"alice", "bob"'],
    ['each of them once', [push(null, older, 'bob'), push(older, head, 'bob')], '"bob"'],
    ['unknown without a push', [], unseen],
    ['unknown where the beginning is missing', [push(older, head, 'bob')], unseen],
    ['unknown where the end is missing', [push(null, older, 'bob')], unseen],
    [
      'unknown where one in the middle is missing',
      [push(null, older, 'bob'), push('c'.repeat(40), head, 'bob')],
      unseen,
    ],
    [
      'whole where two were told out of order',
      [push(older, head, 'bob'), push(null, older, 'alice')],
      '"alice", "bob"',
    ],
    [
      'unknown where a push names nobody',
      [push(null, head)],
      'unknown: a push names no user, who may be deleted: open it again from a new branch',
    ],
  ] as [string, Pushes, string][])('is %s', (_what, pushes, expected) => {
    expect(actualOf('pushed_by: { all: bob }', {}, {}, { memory: { rules: {}, pushes } })).toBe(expected)
  })
  it('is unknown for a fork that is gone, and where nothing tells the first pushes, and says why', () => {
    const unknown: Pushes[number] = { from: null, to: older, by: {}, unknown: 'the events are gone' }
    const memory = { rules: {}, pushes: [unknown, push(older, head, 'bob')] }
    const condition = 'pushed_by: { all: bob }'
    expect(actualOf(condition, {}, {}, { memory })).toBe(
      'unknown: the events are gone: open it again from a new branch',
    )
    const gone = { source_project_id: null }
    expect(actualOf(condition, gone)).toBe('unknown: its fork is gone: open it again from a new branch')
  })
  it('is not fooled by an author who is somebody else', () => {
    const pushes: Pushes = [push(null, head, 'mallory')]
    expect(verdictOf('{ pushed_by: { all: [alice] } }', { memory: { rules: {}, pushes } })).toBe('false')
    expect(verdictOf('{ pushed_by: { none: [mallory] } }', { memory: { rules: {}, pushes: [] } })).toBe('unknown')
  })
})

describe('author_access', () => {
  it.each([
    [answer({ access_level: 30 }), 'true'],
    [answer({ access_level: 20 }), 'false'],
    [refused(404), 'false'],
    [refused(403), 'unknown'],
    [answer({}), 'unknown'],
  ])('of %j: at least a developer is %s', (authorAccess, verdict) => {
    expect(verdictOf('{ author_access: { at_least: developer } }', { answers: answers({}, { authorAccess }) })).toBe(
      verdict,
    )
  })
  it('is unknown where the merge request names no author', () => {
    expect(verdictOf('{ author_access: { at_least: guest } }', { answers: answers({ author: null }) })).toBe('unknown')
  })
})

describe('first_contribution', () => {
  const merged = (id: number, fields = {}) => ({ iid: 3, state: 'merged', author: { id }, ...fields })
  const full = Array.from({ length: 100 }, () => merged(5))
  it.each([
    ['nothing was merged', [], 'true'],
    ['something of the author was', [merged(2)], 'false'],
    ['only this one was', [merged(2, { iid: 7 })], 'true'],
    ['the service lists others as well', [merged(5)], 'true'],
    ['the service lists what is not merged', [merged(2, { state: 'opened' })], 'true'],
    ['the service lists as many others as fit', full, 'unknown'],
    ['the author is among them', [...full.slice(1), merged(2)], 'false'],
  ])('where %s is %s', (_what, body, verdict) => {
    expect(verdictOf('{ first_contribution: true }', { answers: answers({}, { mergedOfAuthor: answer(body) }) })).toBe(
      verdict,
    )
  })
  it('is unknown where the author is', () => {
    expect(verdictOf('{ first_contribution: true }', { answers: answers({ author: {} }) })).toBe('unknown')
  })
})

it('both ask for the merge request first, and then for its author', () => {
  const given = (facts: object) =>
    input([file(rules(rule('{ first_contribution: true, author_access: guest }', '{ subscribe: true }')))], {
      answers: facts as never,
    })
  expect(decide(given({}))).toEqual({ needs: ['mergeRequest'] })
  const { mergeRequest } = answers()
  expect(decide(given({ mergeRequest }))).toEqual({ needs: ['authorAccess'] })
  const ref = { project: 1, iid: 7 }
  expect(sources.authorAccess.params(ref, answers())).toEqual({ id: 1, user_id: 2 })
  expect(sources.mergedOfAuthor.params(ref, answers())).toEqual({
    id: 1,
    state: 'merged',
    scope: 'all',
    author_id: 2,
    per_page: 100,
  })
  expect(sources.authorAccess.params(ref, answers({ author: { id: 'x/../1' } }))).toBeNull()
})
