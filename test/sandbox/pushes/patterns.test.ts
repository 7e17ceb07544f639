// Expressions of push rules: RE2 syntax, found anywhere in the text, in linear time. Names that look like secrets.
import {
  checkExpression,
  createCheck,
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
  ['commit_message_regex', 'fix', 'a fix of it', false],
  ['commit_message_regex', '^JIRA-\\d+', 'Title\n\nJIRA-12', false],
  ['commit_message_regex', '^JIRA-\\d+', 'About JIRA-12', true],
  ['branch_name_regex', '^(feature|fix)/', 'feature/one', false],
  ['branch_name_regex', '^(feature|fix)/', 'my/feature/one', true],
  ['author_email_regex', '@example\\.com$', 'ada@example.com', false],
  ['author_email_regex', '@example\\.com$', 'ada@example.com.evil', true],
  ['author_email_regex', '@example\\.com$', 'ada@example.com\nx@evil', true],
  ['file_name_regex', '(?i)\\.exe$', 'bin/A.EXE', true],
  ['file_name_regex', '(?i)\\.exe$', 'bin/A.EXE.md', false],
  ['file_name_regex', '', 'a', false],
  ['branch_name_regex', '', 'a', false],
] as const)('%s %s is broken by %j: %s', (field, expression, text, broken) => {
  expect(createCheck(rule(field, expression), field)(text)).toBe(broken)
})

test('an expression that would take for ever elsewhere is done at once; a text beyond all sense is not read', () => {
  const message = createCheck(rule('commit_message_regex', '^(a+)+!$'), 'commit_message_regex')
  expect(message(`${'a'.repeat(50_000)}!`)).toBe(false)
  for (const field of ['commit_message_regex', 'file_name_regex'] as const)
    expect(createCheck(rule(field, '^(a+)+$'), field)('a'.repeat(100_001))).toBe(true)
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
