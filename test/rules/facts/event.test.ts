// The facts of events, as they are read from the event and from what the service says of it.
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { answer, answers, refused, verdictOnEvent } from '../world.ts'

const noted = (note: unknown, access: unknown = { id: 2, access_level: 40 }): SourceAnswers =>
  answers({}, { 'note@17': answer(note), 'actorAccess@2': answer(access) })
const alice = { id: 2, username: 'alice' }

test.each([
  ['{ event: note.create }', 'true'],
  ['{ event: push }', 'false'],
  ['{ actor: alice }', 'true'],
  ['{ changed_fields: { none: [labels] } }', 'true'],
  ['{ changed_fields: [labels] }', 'false'],
  ['{ comment: { matches: merge } }', 'true'],
  ['{ command: merge }', 'true'],
  ['{ actor_access: maintainer }', 'true'],
  ['{ actor_access: { at_least: developer } }', 'true'],
  ['{ actor_access: { at_least: owner } }', 'false'],
])('%s is %s', (condition, verdict) => {
  expect(verdictOnEvent(condition)).toBe(verdict)
})

describe('a note', () => {
  it('that is gone has no text', () => {
    const gone = answers({}, { 'note@17': refused() })
    expect(verdictOnEvent('{ comment: { matches: merge } }', { answers: gone })).toBe('unknown')
  })
  it.each([
    ['of the service itself', { id: 17, body: 'merge', author: alice, system: true }],
    ['by somebody else', { id: 17, body: 'merge', author: { id: 3 }, system: false }],
    ['by nobody', { id: 17, body: 'merge', system: false }],
    ['without a text', { id: 17, author: alice, system: false }],
  ])('%s is not believed', (_what, note) => {
    expect(verdictOnEvent('{ comment: { matches: merge } }', { answers: noted(note) })).toBe('unknown')
  })
})

describe('a command', () => {
  const note = { id: 17, body: '@bellhop merge', author: alice, system: false }
  const by = (author: unknown, access: SourceAnswers[string]) =>
    verdictOnEvent('{ command: merge }', {
      answers: answers({ author }, { 'note@17': answer(note), 'actorAccess@2': access }),
    })
  const bob = { id: 3, username: 'bob' }
  it.each<[string, SourceAnswers[string], string]>([
    ['who is a guest', answer({ id: 2, access_level: 10 }), 'true'],
    ['of a level between the others', answer({ id: 2, access_level: 15 }), 'true'],
    ['who has only minimal access', answer({ id: 2, access_level: 5 }), 'unknown'],
    ['whose level is no number', answer({ id: 2, access_level: 'owner' }), 'unknown'],
    ['who is no member', refused(404), 'unknown'],
    ['whose access is not told', refused(403), 'unknown'],
  ])('of somebody %s', (_who, access, verdict) => {
    expect(by(bob, access)).toBe(verdict)
  })
  it('of the author is heard, member or not', () => {
    expect(by(alice, refused(404))).toBe('true')
  })
  it('stays unknown inside a not', () => {
    const given = answers({ author: bob }, { 'note@17': answer(note), 'actorAccess@2': refused(404) })
    expect(verdictOnEvent('{ not: { command: merge } }', { answers: given })).toBe('unknown')
  })
})

describe('access', () => {
  const note = { id: 17, body: '', author: alice, system: false }
  it.each([
    ['of someone who is no member is none', 404, 'none', 'true'],
    ['that the bot may not see is unknown, also for a rule that asks for little', 403, '{ at_most: guest }', 'unknown'],
  ])('%s', (_what, status, condition, verdict) => {
    const given = answers({}, { 'note@17': answer(note), 'actorAccess@2': refused(status) })
    expect(verdictOnEvent(`{ actor_access: ${condition} }`, { answers: given })).toBe(verdict)
  })
  it.each([
    [5, '{ at_least: guest }', 'false'],
    [15, '{ at_least: guest }', 'true'],
    [15, '{ at_least: reporter }', 'false'],
    [15, 'planner', 'true'],
    [25, '{ at_least: reporter }', 'true'],
    [25, '{ at_least: developer }', 'false'],
    [25, '{ at_most: developer }', 'true'],
    [60, '{ at_least: owner }', 'true'],
    ['40', '{ at_least: guest }', 'unknown'],
  ])('of level %j compares by its number: %s is %s', (access_level, condition, verdict) => {
    const given = { answers: noted(note, { id: 2, access_level }) }
    expect(verdictOnEvent(`{ actor_access: ${condition} }`, given)).toBe(verdict)
  })
})
