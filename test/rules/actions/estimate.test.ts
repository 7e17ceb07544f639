// estimate: set where none is set.
import { overTime } from '../over-time.ts'
import { answers, decideRule, problemsIn, rule, rules, sent } from '../world.ts'

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

describe('an estimate with a group', () => {
  const given = (title: string, args = '"{{ time }}"') =>
    decideRule('{ title: { matches: "~(?<time>[^~]*)~" } }', `{ estimate: ${args} }`, {
      answers: answers({ title, time_stats: { time_estimate: 0, total_time_spent: 0 } }),
    })
  it.each([
    ['x ~2h~', '"{{ time }}"', '2h'],
    ['x ~1d 2h~', '"{{ time }}"', '10h'],
    ['x ~3~', '"{{ time }}h"', '3h'],
    ['x ~3~', '{ duration: "{{ time }}h 30m", overwrite: true }', '3h30m'],
  ])('of %j by %s is %s', (title, args, duration) => {
    expect(sent(given(title, args))).toEqual([['mergeRequests.timeEstimate', { duration }]])
  })
  it.each([
    ['~soon~', '{{ time }} is "soon"; expected a duration such as 15m or 3h30m'],
    ['~~', '{{ time }} is ""; expected a duration such as 15m or 3h30m'],
    ['~0h~', 'the value is "0h"; expected a duration such as 15m or 3h30m'],
    ['~2h2h~', 'the value is "2h2h"; expected a duration such as 15m or 3h30m'],
    ['~999999w 999999d~', 'the value is "999999w 999999d"; expected a duration such as 15m or 3h30m'],
  ])('is blocked by the title %j, with the reason', (title, detail) => {
    const decision = given(title)
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions).toEqual([{ action: 'estimate', result: 'blocked', detail }])
  })
  it('is changed with the title where it may be overwritten', () => {
    const mr = overTime({ title: 'x ~2h~' })
    const texts = [
      rule('{ title: { matches: "~(?<time>.*)~" } }', '{ estimate: { duration: "{{ time }}", overwrite: true } }'),
    ]
    expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.timeEstimate', { duration: '2h' }]], []])
    mr.person({ title: 'x ~4h~' })
    expect(mr.sends(texts)).toEqual([['mergeRequests.timeEstimate', { duration: '4h' }]])
  })
  it.each(['"{{ tim }}"', '"{{ title }}"', '"{{ time }"'])('is refused by check as %s', (args) => {
    const text = rules(rule('{ title: { matches: "(?<time>.*)" } }', `{ estimate: ${args} }`))
    expect(problemsIn(text)).toEqual([expect.stringContaining('rules[0].then.estimate: ')])
  })
})
