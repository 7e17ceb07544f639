// estimate: set where none is set.
import { describe, expect, it } from 'vitest'
import { answers, decideRule, sent } from '../world.ts'

const decide = (args: string, time_estimate: unknown) =>
  decideRule('{ state: opened }', `{ estimate: ${args} }`, {
    answers: answers({ time_stats: { time_estimate, total_time_spent: 0 } }),
  })

describe('estimate', () => {
  it.each([
    ['is set where there is none', '15m', 0, '15m'],
    ['counts eight hours to a day', '1d2h', 0, '10h'],
    ['is said in hours and minutes', '90m', 0, '1h30m'],
    ['changes one that is set, if it must', '{ duration: 1h, overwrite: true }', 60, '1h'],
  ])('%s', (_what, args, now, duration) => {
    expect(sent(decide(args, now))).toEqual([['mergeRequests.timeEstimate', { duration }]])
  })
  it.each([
    ['that is set stays', '15m', 60, 'an estimate of 1m is set; overwrite: true would change it'],
    ['that is the same is no call', '{ duration: 15m, overwrite: true }', 900, 'the estimate is 15m already'],
  ])('%s', (_what, args, now, detail) => {
    const decision = decide(args, now)
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions).toEqual([{ action: 'estimate', result: 'nothing_to_do', detail }])
  })
  it('that cannot be read is left alone', () => {
    expect(decide('15m', '0').rules[0]?.actions[0]?.result).toBe('blocked')
  })
})
