// The new-rule limit holds back what new rules do too often, and nothing else.
import { describe, expect, it } from 'vitest'
import type { Action } from '../../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../../src/rules/actions/index.ts'
import { isLimitedWhenNew, newRuleUses } from '../../../../src/rules/engine/limits/trust.ts'
import { ruleName } from '../../../../src/rules/engine/memory/standing-requests.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { DecideInput, NewRuleLimit } from '../../../../src/rules/types.ts'
import { happened } from '../../over-time.ts'
import { answered, answers, approvedByBot, decidedBy, head, rule, rules } from '../../world.ts'

const until = '2026-01-11T00:20:00Z'
const everything = ['accept', 'approve', 'backport', 'close', 'comment', 'notify']
const limitOn = (newRules: string[], names = everything): NewRuleLimit => ({
  perHour: 3,
  newRules: newRules.map((name) => `rules/test.yml#${name}`),
  full: Object.fromEntries(names.map((name) => [name, until])),
})
const one = (actionsText: string, name = 'fresh') => rule('{ author: alice }', actionsText, name)
const run = (texts: string[], newRuleLimit: NewRuleLimit, changes: Partial<DecideInput> = {}) =>
  decidedBy(rules(...texts), { newRuleLimit, ...changes })
const names = ({ calls }: ReturnType<typeof run>) => calls.map(({ action }) => action)

describe('a rule that is new, where the new-rule limit is on', () => {
  it.each(['approve: true', 'accept: true', 'close: true', 'comment: hello'])(
    'is blocked with the reason, and evaluated again then: %s',
    (text) => {
      const decision = run([one(`{ ${text} }`)], limitOn(['fresh']))
      expect(decision.calls).toEqual([])
      expect(decision.rules[0]?.actions).toMatchObject([
        { result: 'blocked', detail: expect.stringContaining(`the new-rule limit: new rules did this 3 times`) },
      ])
      expect(decision.againInMs).toBe(20 * 60_000)
    },
  )
  it('does everything else', () => {
    expect(names(run([one('{ label: { add: a }, approve: true, subscribe: true }')], limitOn(['fresh'])))).toEqual([
      'label',
      'subscribe',
    ])
  })
  it('does later what was blocked', () => {
    const texts = [one('{ comment: hello }')]
    const memory = remember(emptyMemory(), answered(run(texts, limitOn(['fresh']))))
    expect(names(run(texts, limitOn(['fresh'], []), { memory }))).toEqual(['comment'])
  })
  it('keeps the approval that was given before', () => {
    const given = { memory: { ...emptyMemory(), of: { approve: head } }, answers: answers({}, approvedByBot) }
    expect(run([one('{ approve: true }')], limitOn(['fresh']), given).calls).toEqual([])
  })
  it('restrains with what is blocked: what it wants closed is not merged', () => {
    expect(names(run([one('{ close: true }'), one('{ accept: true }', 'old')], limitOn(['fresh'])))).toEqual([])
  })
  it('does not stand in the way of an old rule', () => {
    expect(names(run([one('{ approve: true }'), one('{ approve: true }', 'old')], limitOn(['fresh'])))).toEqual([
      'approve',
    ])
  })
  it('is done with no event before it could act', () => {
    const text = 'rules:\n  - name: fresh\n    on: push\n    then: { comment: hello }\n'
    const run1 = (newRuleLimit: NewRuleLimit, memory = emptyMemory()) =>
      decidedBy(text, { newRuleLimit, memory, events: [happened('push')] })
    const held = run1(limitOn(['fresh']))
    expect(held).toMatchObject({ calls: [], againInMs: 20 * 60_000 })
    expect(names(run1(limitOn(['fresh'], []), remember(emptyMemory(), answered(held))))).toEqual(['comment'])
  })
})

it('a rule that is old is not limited', () => {
  expect(names(run([one('{ approve: true, accept: true, comment: hello }', 'old')], limitOn([])))).toEqual([
    'approve',
    'comment',
    'accept',
  ])
})

describe('what is counted', () => {
  const limited = Object.values<Action>(actions as Record<string, Action>).filter(isLimitedWhenNew)
  const counted = (texts: string[], newRules: string[]) => {
    const newRuleLimit = limitOn(newRules, [])
    return Object.fromEntries(newRuleUses(run(texts, newRuleLimit), newRuleLimit, limited, ruleName))
  }
  it('limits approve, accept, close and comment', () => {
    expect(limited.map(({ name }) => name).sort()).toEqual(everything)
  })
  it('counts each note, but an approval once, no matter which rule requests it', () => {
    const text = '{ comment: hello, approve: true }'
    expect(counted([one(text, 'a'), one(text, 'b')], ['a', 'b'])).toEqual({ comment: 2, approve: 1 })
  })
  it('is not what an old rule requests as well', () => {
    const text = '{ comment: hello, approve: true }'
    expect(counted([one(text, 'a'), one(text, 'b')], ['a'])).toEqual({ comment: 1 })
  })
})
