// Names that look like secrets, and names that only nearly do.
import { expect, test } from 'vitest'
import { secretPattern } from '../../../src/sandbox/pushes/check-push.ts'

test.each([
  'id_rsa',
  '.id_rsa',
  'home/.ssh/id_ed25519',
  'ssh/id_ecdsa',
  'id_dsa',
  '.ssh/personal_rsa',
  'config/server_ed25519',
  '.aws/credentials',
  'homefolder/aws/credentials',
  'secret.pem',
  'certificates/private.key',
  '.bash_history',
  'pry.history',
])('%s is one', (path) => {
  expect(secretPattern(path)).toBeTypeOf('string')
})

test.each([
  'id_rsa.pub',
  'my_id_rsa.ts',
  'valid_rsa',
  'personal_rsa',
  'aws/credentials.md',
  'src/key',
  'monkey',
  'pem/readme.md',
  'history',
  'docs/history.md',
  'keys.ts',
])('%s is none', (path) => {
  expect(secretPattern(path)).toBeUndefined()
})
