// How well the project knows the author.
import { decide } from '../../../src/rules/engine/decide.ts'
import { sources } from '../../../src/rules/facts/definition/sources.ts'
import { answer, answers, file, input, refused, rule, rules, verdictOf } from '../world.ts'

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
