// Versions are compared by their numbers.
import { expect, test } from 'vitest'
import { isPremium, isSince } from '../../src/sandbox/installation.ts'

test.each([
  ['16.11.0', '16.11', true],
  ['16.11.0', '16.9', true],
  ['16.11.0', '17.0', false],
  ['18.2.1', '17.11', true],
  ['9.5.0', '10.0', false],
])('%s is since %s: %s', (version, release, expected) => {
  expect(isSince({ installation: { tier: 'free', version } }, release)).toBe(expected)
})

test('a free installation is not premium', () => {
  expect(isPremium({ installation: { tier: 'free', version: '18.0.0' } })).toBe(false)
  expect(isPremium({ installation: { tier: 'premium', version: '18.0.0' } })).toBe(true)
})
