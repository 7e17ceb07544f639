// Expressions of push rules (api-v4.md §4.3), matched in linear time, as in GitLab.
import { RE2JS } from 're2js'
import { invalid } from '../http/error-response.ts'
import type { PushRule } from '../records/records.ts'

export const patternFields = [
  'commit_message_regex',
  'branch_name_regex',
  'author_email_regex',
  'file_name_regex',
] as const
export type PatternField = (typeof patternFields)[number]

/** GitLab's limit. */
const longestExpression = 511
/** Longer texts are refused unread. */
const longestText = 100_000

/** `^` and `$` match lines in a message, else the whole text. */
const compile = (field: PatternField, expression: string) =>
  RE2JS.compile(expression, field === 'commit_message_regex' ? RE2JS.MULTILINE : 0)

export function checkExpression(field: PatternField, expression: string): void {
  if (expression.length > longestExpression)
    throw invalid(field, `is too long (maximum is ${longestExpression} characters)`)
  try {
    compile(field, expression)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw invalid(field, `is invalid: not a valid RE2 regular expression (${reason})`)
  }
}

/** Undefined when the rule has none. */
export function createMatcher(
  rule: PushRule,
  field: PatternField,
): ((text: string) => boolean | 'too_long') | undefined {
  const expression = rule[field]
  if (expression === '') return undefined
  const compiled = compile(field, expression)
  return (text) => (text.length > longestText ? 'too_long' : compiled.test(text))
}
