// What may still come right is waited for, and what cannot is not.
import { check } from '../../soak/check.ts'
import { pong } from '../../soak/rules.ts'
import { bot, type Story, story } from './story.ts'

const broken = ({ record }: Story) => {
  const { atRest, atAnyTime } = check(record)
  return [atRest, atAnyTime].map((each) => each.map(({ promise }) => promise))
}

test('what is lost may still come, and counts at rest', () => {
  expect(broken(story().command('bob', 'ping', 'acknowledged'))).toEqual([['an acknowledged event is never lost'], []])
})
test('what was done twice stays so, and counts at any time', () => {
  expect(broken(story().command('bob', 'ping', 'acknowledged').note(bot, pong).note(bot, pong))).toEqual([
    [],
    ['nothing acts twice'],
  ])
})
