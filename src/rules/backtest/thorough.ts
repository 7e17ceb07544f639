// Makes rules evaluate all of their conditions: a backtest tells false from unknown.
import type { RuleFileInForce } from '../types.ts'

/** Evaluation stops once a rule cannot match, but not inside a `not`. */
export function thorough(files: readonly RuleFileInForce[]): RuleFileInForce[] {
  return files.map((file) => ({
    ...file,
    rules: { ...file.rules, rules: file.rules.rules.map((rule) => ({ ...rule, if: { not: { not: rule.if } } })) },
  }))
}
