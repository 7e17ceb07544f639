// Expressions between slashes, as other languages write them; test/rules/lint/mistakes.test.ts has what is refused.
import { expect, test } from 'vitest'
import { asMatches } from '../../../../src/rules/language/operators/impossible-texts.ts'

test.each([
  ['/fix/', '{ matches: "fix" }'],
  ['/^a\\d/i', '{ matches: "(?i)^a\\\\d" }'],
  ['/fix', undefined],
  ['//', undefined],
  ['feat/fix/', undefined],
])('%s is written as %s', (text, meant) => {
  expect(asMatches(text)).toBe(meant)
})
