// assign: someone by name, or nobody; who is not there is blocked.
import { answer, answers, decideRule, problemsIn, refused, rule, rules, sent } from '../world.ts'

const carol = { id: 3, username: 'carol' }
const decide = (args: string, fields = {}, other = {}) =>
  decideRule('{ state: opened }', `{ assign: ${args} }`, { answers: answers(fields, other) })

describe('assign', () => {
  it.each([
    ['someone', 'carol', null, { assignee_id: 3 }],
    ['someone else', 'carol', { id: 2, username: 'alice' }, { assignee_id: 3 }],
    ['nobody', 'null', carol, { assignee_id: 0 }],
  ])('%s', (_what, args, assignee, expected) => {
    expect(sent(decide(args, { assignee }))).toEqual([['mergeRequests.update', expected]])
  })
  it.each([
    ['is there already', 'carol', carol, 'carol is assigned already'],
    ['is there in another case', 'carol', { id: 3, username: 'Carol' }, 'carol is assigned already'],
    ['is nobody already', 'null', null, 'nobody is assigned'],
  ])('who %s is no call', (_what, args, assignee, detail) => {
    const decision = decide(args, { assignee })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toEqual({ action: 'assign', result: 'nothing_to_do', detail })
  })
  it.each([
    ['there is no such user', 'mallory', answer([]), 'there is no user mallory'],
    ['only others are like it', 'mallory', answer([carol]), 'there is no user mallory'],
    ['the users cannot be read', 'mallory', refused(403), 'the users cannot be read'],
    [
      'the list of users was cut',
      'mallory',
      answer([{ id: 5, username: 'mallory' }], false),
      'the users cannot be read',
    ],
  ])('is blocked where %s', (_what, name, users, detail) => {
    const decision = decide(name, {}, { [`user@${name}`]: users })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toEqual({ action: 'assign', result: 'blocked', detail })
  })
  it.each(['""', 'a b', '"@car ol"', '-carol', '"../carol"'])('%s is no user name', (name) => {
    expect(problemsIn(rules(rule('{ state: opened }', `{ assign: ${name} }`)))).toEqual([
      expect.stringMatching(/^f\.yml:5:21: rules\[0]\.then\.assign: expected a user name, found /),
    ])
  })
  it.each([
    ['7', /expected a user name, or a list of them, add, replace, or null for nobody, found 7$/],
    ['[]', /expected a list of 1 to 20/],
    ['{}', /expected either add or replace/],
    ['{ add: carol, replace: dora }', /expected either add or replace/],
    ['{ remove: carol }', /remove/],
    ['{ add: null }', /expected a user name/],
    [`[${Array(21).fill('carol').join(', ')}]`, /expected a list of 1 to 20/],
  ])('%s is refused', (args, expected) => {
    const [problem, ...others] = problemsIn(rules(rule('{ state: opened }', `{ assign: ${args} }`)))
    expect(problem).toMatch(expected)
    expect(others).toEqual([])
  })
})

describe('assign, where the service shows all assignees', () => {
  const dora = { id: 4, username: 'dora' }
  const alice = { id: 2, username: 'alice' }
  const people = { 'user@dora': answer([dora]), 'user@carol': answer([carol]), 'user@Carol': answer([carol]) }
  it.each([
    ['one in the place of others', 'carol', [alice, dora], [3]],
    ['several in the place of another', '[carol, dora]', [alice], [3, 4]],
    ['some of those who are', '{ replace: carol }', [carol, dora], [3]],
    ['more', '{ add: [carol, dora] }', [alice, carol], [2, 3, 4]],
    ['nobody', 'null', [alice, dora], [0]],
  ])('%s', (_what, args, assignees, assignee_ids) => {
    const decision = decide(args, { assignees, assignee: assignees[0] }, people)
    expect(sent(decision)).toEqual([['mergeRequests.update', { assignee_ids }]])
  })
  it.each([
    ['[dora, Carol]', [carol, dora]],
    ['{ add: carol }', [alice, carol]],
  ])('%s is no call where they are', (args, assignees) => {
    expect(decide(args, { assignees }, people).rules[0]?.actions[0]?.result).toBe('nothing_to_do')
  })
  it.each([
    ['somebody has no id', '{ add: carol }', { assignees: [{ username: 'alice' }] }, 'the assignees cannot be read'],
    ['one of several is unknown', '[carol, mallory]', { assignees: [] }, 'there is no user mallory'],
    ['the service keeps one', '[carol, dora]', { assignee: null }, 'this service keeps one assignee'],
  ])('is blocked where %s', (_what, args, fields, detail) => {
    const decision = decide(args, fields, { ...people, 'user@mallory': answer([]) })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toEqual({ action: 'assign', result: 'blocked', detail })
  })
})
