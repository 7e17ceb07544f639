// Events that were lost or counted twice are seen in what the service holds.
import { miscounted } from '../../soak/events.ts'
import { pong } from '../../soak/rules.ts'
import { bot, name, type Story, story } from './story.ts'

const details = ({ record, histories }: Story) =>
  miscounted(record, histories()).map(({ promise, detail }) => `${promise}: ${detail}`)
const lost = 'an acknowledged event is never lost'
const doubled = 'nothing acts twice'

describe('minutes that comments asked to log', () => {
  const asked = () =>
    story().command('alice', 'log', 'acknowledged').command('bob', 'log', 'never arrived', 'acknowledged')
  const minutes = (told: Story, count: number) => details(told.becomes({ total_time_spent: count * 60 }))
  test('add up', () => {
    expect(minutes(asked(), 2)).toEqual([])
    expect(minutes(asked(), 1)).toEqual([
      `${lost}: 2 comments asked to log a minute, 1 were logged, 0 called uncertain`,
    ])
    expect(minutes(asked(), 3)).toEqual([`${doubled}: 2 comments asked to log a minute, 3 were logged`])
  })
  test('may be there or not when nobody knows whether the hook was taken', () => {
    const perhaps = () => asked().command('bob', 'log', 'uncertain').command('bob', 'log', 'never arrived')
    expect(minutes(perhaps(), 2)).toEqual([])
    expect(minutes(perhaps(), 3)).toEqual([])
    expect(minutes(perhaps(), 4)).toHaveLength(1)
  })
  test('count once where the hook came twice', () => {
    expect(minutes(story().command('bob', 'log', 'acknowledged', 'acknowledged'), 2)).toHaveLength(1)
  })
  test('may be missing where Bellhop said so', () => {
    const told = asked()
    told.record.uncertain.push({
      mergeRequest: name,
      detail: 'spend (mergeRequests.addSpentTime): nothing tells whether it was done',
    })
    expect(minutes(told, 1)).toEqual([])
    expect(minutes(told, 0)).toHaveLength(1)
  })
  test('may be missing where Bellhop was turned off', () => {
    expect(minutes(asked().becomes({ labels: ['bellhop::off'] }), 0)).toEqual([])
    expect(minutes(asked().becomes({ labels: ['bellhop::off'] }), 3)).toHaveLength(1)
  })
})

describe('pings', () => {
  const pinged = () => story().command('bob', 'ping', 'acknowledged').command('alice', 'ping', 'acknowledged')
  test('are answered by one note', () => {
    expect(details(pinged().note(bot, pong))).toEqual([])
    expect(details(pinged())).toEqual([`${lost}: 2 pings, and no answer`])
    expect(details(pinged().note(bot, pong).note(bot, pong))).toEqual([`${doubled}: 2 pings, and 2 notes that answer`])
    expect(details(story().note(bot, pong))).toEqual([`${doubled}: 0 pings, and 1 notes that answer`])
  })
})

test('a label that is put on once stays off when it was taken off', () => {
  const once = () =>
    story({}, true)
      .becomes({ labels: ['documentation'] })
      .becomes({ labels: [] })
  expect(details(once())).toEqual([])
  expect(details(once().becomes({ labels: ['documentation'] }))).toHaveLength(1)
})
