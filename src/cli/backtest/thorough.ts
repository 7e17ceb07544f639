// Rules that are read to their end: also where they can no longer hold, it matters whether they are false or not known.
import type { RuleFileInForce } from '../../rules/types.ts'

/** The same rules, in the same words. A rule that cannot hold any more is otherwise not read on; inside a `not`, false matters as much as true. */
export function thorough(files: readonly RuleFileInForce[]): RuleFileInForce[] {
  return files.map((file) => ({
    ...file,
    rules: { ...file.rules, rules: file.rules.rules.map((rule) => ({ ...rule, if: { not: { not: rule.if } } })) },
  }))
}
