// What is remembered after a decision and the responses to its calls.
import { describe, expect, it } from 'vitest'
import { remembered } from '../../../src/bot/evaluation/record-decision.ts'
import { decide } from '../../../src/rules/engine/decide.ts'
import { file, input, rule, rules } from '../../rules/world.ts'

function decidedBy(actions: string) {
  const given = input([file(rules(rule('{ draft: false }', actions)))])
  const result = decide(given)
  if ('needs' in result) throw new Error(`${result.needs} were not given`)
  return { decision: result.decision, input: given }
}

describe('a merge request whose rule matches', () => {
  it('stays, as any event may end what the rule asks for', () => {
    expect(remembered(decidedBy('{ accept: true }'), [], undefined)).toMatchObject({
      keeps: true,
      over: false,
      ended: false,
    })
  })
  it('is over once a call merged it', () => {
    expect(remembered(decidedBy('{ accept: true }'), [], undefined, true)).toMatchObject({
      keeps: false,
      over: true,
      ended: true,
    })
  })
})
