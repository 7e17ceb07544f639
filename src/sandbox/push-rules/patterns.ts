// The expressions of push rules (api-v4.md §4.3): users' text, held to linear time, matched as real installations match them.
import { RE2JS } from 're2js'
import type { PushRule } from '../records.ts'
import { invalid } from '../refusal.ts'

export const patternFields = ['commit_message_regex', 'branch_name_regex', 'author_email_regex', 'file_name_regex'] as const
export type PatternField = (typeof patternFields)[number]

/** As real installations. */
const longestExpression = 511
/** A longer text is refused unread: the time is linear in it, and nobody writes such a message or name by hand. */
const longestText = 100_000

/** In a message `^` and `$` stand for a line, elsewhere for the whole text. */
const compile = (field: PatternField, expression: string): RE2JS =>
  RE2JS.compile(expression, field === 'commit_message_regex' ? RE2JS.MULTILINE : 0)

/** Refuses an expression that cannot be used, with the field's name. */
export function checkExpression(field: PatternField, expression: string): void {
  if (expression.length > longestExpression) throw invalid(field, `is too long (maximum is ${longestExpression} characters)`)
  try {
    compile(field, expression)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw invalid(field, `is invalid: not a valid RE2 regular expression (${reason})`)
  }
}

/** Whether a text is found by the rule's expression; `undefined` when the rule has none. Too long a text is never fit to tell. */
export function createMatcher(rule: PushRule, field: PatternField): ((text: string) => boolean | 'too long') | undefined {
  const expression = rule[field]
  if (expression === '') return undefined
  const compiled = compile(field, expression)
  return (text) => (text.length > longestText ? 'too long' : compiled.test(text))
}
