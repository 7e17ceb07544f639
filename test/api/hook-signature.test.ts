// Signatures of deliveries, against the example of Standard Webhooks.
import { expect, test } from 'vitest'
import { hookSignature } from '../../src/api/hook-signature.ts'

test('a signature is what Standard Webhooks makes of the same delivery', () => {
  const said = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' }
  expect(hookSignature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', said)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})
