// Errors of the person at the terminal: shown as their message alone, without a stack.

/** Something failed or was found: exit code 1. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
  readonly exitCode: 1 | 2 = 1
}

/** Wrong usage: exit code 2. */
export class UsageError extends UserError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}
