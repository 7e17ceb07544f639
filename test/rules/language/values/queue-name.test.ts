// Names of merge queues, which are part of branch names.
import { expect, test } from 'vitest'
import { queueName } from '../../../../src/rules/language/queues.ts'

test.each(['main', 'release-1_2', 'a'.repeat(40)])('%s is one', (name) => {
  expect(queueName.read(name, [], [])).toBe(name)
})
test.each(['', 'a/b', 'a b', '..', 'a'.repeat(41), 'a\n', 7])('%j is none', (name) => {
  expect(queueName.read(name, [], [])).toBeUndefined()
})
