// spend: once for each event, never repeated where it may have been counted.
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import { happened, onEvent, overTime } from '../over-time.ts'
import { answer, answers, decided, file, input, problemsIn, rememberAs, rules } from '../world.ts'

const spends = onEvent('push', '{ spend: 15m }')
const events = [happened('push')]

describe('spend', () => {
  it.each([
    ['15m', '15m'],
    ['1d', '8h'],
    ['90m', '1h30m'],
  ])('%s adds %s', (args, duration) => {
    expect(overTime().sends([onEvent('push', `{ spend: ${args} }`)], { events })).toEqual([
      ['mergeRequests.addSpentTime', { duration }],
    ])
  })
  it('adds for each event and each rule once', () => {
    const mr = overTime()
    const both = [spends, onEvent('push', '{ spend: 15m }', 'another')]
    const two = [...events, happened('push', 'd2')]
    expect(mr.sends(both, { events: two }).length).toBe(4)
    expect(mr.sends(both, { events: two })).toEqual([])
    expect(mr.sends(both, { events: [...two, happened('push', 'd3')] }).length).toBe(2)
  })
  it.each([
    ['ambiguous', 0],
    ['refused', 0],
    ['not_now', 1],
  ] as const)('that was %s is sent again: %i', (result, again) => {
    const given = input([file(rules(spends))], { events, answers: answers() })
    const memory = rememberAs(result, decided(given))
    expect(decided({ ...given, memory }).calls.length).toBe(again)
  })
  it('that was never sent is sent later', () => {
    const given = input([file(rules(spends))], { events, answers: answers() })
    expect(decided({ ...given, memory: remember(emptyMemory(), decided(given)) }).calls.length).toBe(1)
  })
  it.each(['0m', '-15m'])('of %s is refused', (args) => {
    expect(problemsIn(rules(onEvent('push', `{ spend: ${args} }`)))).toEqual([
      `f.yml:5:20: rules[0].then.spend: expected a duration such as 15m or 3h30m, found "${args}"`,
    ])
  })
})

it('adds what a note says, once for the note, and nothing where it says no duration', () => {
  const text =
    '  - name: a\n    on: note.create\n    if: { comment: { matches: "^spent (?<time>.*)" } }\n    then: { spend: "{{ time }}" }\n'
  const noted = (body: string) => {
    const mr = overTime({}, { 'note@5': answer({ id: 5, body, author: { id: 2 } }) })
    const events = [happened('note.create', 'd1', { note: { id: 5, mentions: false } })]
    return [mr.sends([text], { events }), mr.sends([text], { events })]
  }
  expect(noted('spent 1h')).toEqual([[['mergeRequests.addSpentTime', { duration: '1h' }]], []])
  expect(noted('spent ages')).toEqual([[], []])
})
