// What `--suppose` says; what cannot be read is said to the person at the terminal.
import * as rules from '../../rules/suppositions.ts'
import { UserError } from '../user-error.ts'

/** Reads every `--suppose`. Throws UserError with a line for each that cannot be read. */
export function readSuppositions(texts: readonly string[]): rules.Suppositions {
  const read = rules.readSuppositions(texts)
  if (!read.ok) throw new UserError(read.problems.map((problem) => `--suppose ${problem}`).join('\n'), { exitCode: 2 })
  return read.suppositions
}
