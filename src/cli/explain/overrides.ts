// Parses the `--what-if` flags.
import * as rules from '../../rules/testing/overrides.ts'
import { UsageError } from '../user-error.ts'

/** Throws UsageError with a line per mistake. */
export function readOverrideFlags(texts: readonly string[]): rules.Overrides {
  const read = rules.readOverrides(texts)
  if (!read.ok) throw new UsageError(read.problems.map((problem) => `--what-if ${problem}`).join('\n'))
  return read.overrides
}
