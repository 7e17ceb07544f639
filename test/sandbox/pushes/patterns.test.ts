// Expressions of push rules: RE2 syntax, found anywhere in the text, in linear time. Names that look like secrets.
import { describe, expect, test } from 'vitest'
import {
  checkExpression,
  createMatcher,
  noLimits,
  type PatternField,
  secretPattern,
} from '../../../src/sandbox/pushes/check-push.ts'

const rule = (field: PatternField, expression: string) => ({
  id: 1,
  project_id: 1,
  created_at: '',
  ...noLimits,
  [field]: expression,
})

test.each([
  ['commit_message_regex', 'fix', 'a fix of it', true],
  ['commit_message_regex', '^JIRA-\\d+', 'Title\n\nJIRA-12', true],
  ['commit_message_regex', '^JIRA-\\d+', 'About JIRA-12', false],
  ['branch_name_regex', '^(feature|fix)/', 'feature/one', true],
  ['branch_name_regex', '^(feature|fix)/', 'my/feature/one', false],
  ['author_email_regex', '@example\\.com$', 'ada@example.com', true],
  ['author_email_regex', '@example\\.com$', 'ada@example.com.evil', false],
  ['author_email_regex', '@example\\.com$', 'ada@example.com\nx@evil', false],
  ['file_name_regex', '(?i)\\.exe$', 'bin/A.EXE', true],
] as const)('%s %s finds %j: %s', (field, expression, text, found) => {
  expect(createMatcher(rule(field, expression), field)?.(text)).toBe(found)
})

test('without an expression there is nothing to match', () => {
  expect(createMatcher(rule('file_name_regex', ''), 'file_name_regex')).toBeUndefined()
})

test('an expression that would take for ever elsewhere is done at once; a text beyond all sense is not read', () => {
  const matches = createMatcher(rule('commit_message_regex', '^(a+)+$'), 'commit_message_regex')
  expect(matches?.(`${'a'.repeat(50_000)}!`)).toBe(false)
  expect(matches?.('a'.repeat(100_001))).toBe('too_long')
})

describe('refused', () => {
  test.each([
    ['(', 'missing closing )'],
    ['(?=x)', 'invalid or unsupported Perl syntax'],
    ['(x)\\1', 'invalid escape sequence'],
    ['a{1001}', 'invalid repeat count'],
    ['((a{100}){100}){100}', 'invalid repeat count'],
  ])('is %s, with the field and the reason', (expression, reason) => {
    expect(() => checkExpression('branch_name_regex', expression)).toThrow(reason)
    expect(() => checkExpression('branch_name_regex', expression)).toThrow('branch_name_regex')
  })

  test.each(['', '.*', '\\p{L}', '^(feature|fix)/[a-z]+$'])('is not %j', (expression) => {
    expect(() => checkExpression('branch_name_regex', expression)).not.toThrow()
  })
})

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
