// Signatures of deliveries, against the example of Standard Webhooks.
import { expect, test } from 'vitest'
import { isSigningToken, sign } from '../../../src/sandbox/hooks/sign.ts'

test('a signature is what Standard Webhooks makes of the same delivery', () => {
  const signature = sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    body: Buffer.from('{"test": 2432232314}'),
  })
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

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
