// Wrong tokens are counted by address, in bounded memory.
import { expect, test } from 'vitest'
import { countWrongTokens } from '../../../src/admin/access/authenticate.ts'

const limits = { most: 2, withinMs: 60_000, addresses: 3 }

test('one address does not block another', () => {
  const wrong = countWrongTokens(() => 1, limits)
  for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) wrong.count(address)
  expect([
    wrong.blockedSeconds('10.0.0.1'),
    wrong.blockedSeconds('10.0.0.2'),
    wrong.blockedSeconds('10.0.0.3'),
  ]).toEqual([60, undefined, undefined])
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8::1', '2001:0db8:0:0:5::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
  ['fe80::1%eth0', 'fe80::1%eth1', true],
])('%s and %s count as one: %s', (first, second, same) => {
  const wrong = countWrongTokens(() => 1, limits)
  for (const address of [first, second]) wrong.count(address)
  expect(wrong.blockedSeconds(first) !== undefined).toBe(same)
})

test('after the minute the address is unblocked, and the count starts again', () => {
  let at = 1
  const wrong = countWrongTokens(() => at, limits)
  for (const address of ['a', 'a']) wrong.count(address)
  at = 60_000
  expect(wrong.blockedSeconds('a')).toBe(1)
  at = 60_001
  expect(wrong.blockedSeconds('a')).toBeUndefined()
  wrong.count('a')
  expect(wrong.blockedSeconds('a')).toBeUndefined()
})

test('above the limit of addresses the oldest is evicted', () => {
  const wrong = countWrongTokens(() => 1, limits)
  for (const address of ['a', 'a', 'b', 'b', 'c', 'd']) wrong.count(address)
  expect([wrong.blockedSeconds('a'), wrong.blockedSeconds('b')]).toEqual([undefined, 60])
})
