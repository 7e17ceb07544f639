// Which tokens deliveries can be signed with.
import { expect, test } from 'vitest'
import { isSigningToken } from '../../../src/sandbox/hooks/signing-token.ts'

const token = (length: number) => `whsec_${Buffer.alloc(length, 7).toString('base64')}`

test.each([token(24), token(32), token(64)])('%s is a signing token', (text) => {
  expect(isSigningToken(text)).toBe(true)
})

test.each([
  token(23),
  token(65),
  token(32).slice('whsec_'.length),
  token(32).replace('whsec_', 'WHSEC_'),
  token(32).replace('=', ''),
  `${token(32)}\n`,
  `whsec_${'*'.repeat(44)}`,
  'whsec_',
])('%j is none', (text) => {
  expect(isSigningToken(text)).toBe(false)
})
