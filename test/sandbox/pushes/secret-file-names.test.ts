// Names that look like secrets, and names that only nearly do.
import { expect, test } from 'vitest'
import { secretPattern } from '../../../src/sandbox/pushes/check-push.ts'

test.each([
  'id_rsa',
  'home/.ssh/id_ed25519',
  '.ssh/personal_rsa',
  '.aws/credentials',
  'secret.pem',
  '.bash_history',
  'pry.history',
])('%s is one', (path) => {
  expect(secretPattern(path)).toBeTypeOf('string')
})

test.each(['id_rsa.pub', 'my_id_rsa.ts', 'aws/credentials.md', 'history', 'keys.ts'])('%s is none', (path) => {
  expect(secretPattern(path)).toBeUndefined()
})
