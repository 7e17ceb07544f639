// assign: someone by name, or nobody; who is not there is blocked.
import { describe, expect, it } from 'vitest'
import { overTime, whileOn } from '../over-time.ts'
import { answer, answers, decideRule, problemsIn, rule, rules, sent } from '../world.ts'

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
    ['the users cannot be read', 'mallory', { ok: false, reason: '403' }, 'the users cannot be read'],
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
  it('is done once while the rule matches: a person who changes it wins', () => {
    const mr = overTime({ labels: ['on'] })
    expect(mr.sends([whileOn('{ assign: carol }')]).length).toBe(1)
    mr.person({ assignee: null })
    expect(mr.sends([whileOn('{ assign: carol }')])).toEqual([])
  })
  it.each(['""', 'a b', '"@carol"', '[carol]', '-carol', '"../carol"', '7'])('%s is no user name', (name) => {
    expect(problemsIn(rules(rule('{ state: opened }', `{ assign: ${name} }`)))).toEqual([
      expect.stringMatching(/^f\.yml:5:21: rules\[0]\.then\.assign: expected a user name, or null for nobody, found /),
    ])
  })
})
