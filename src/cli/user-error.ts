// A mistake that the person at the terminal can mend: shown as its sentence alone.

/** `exitCode` 1: something failed or was found; 2: wrong usage. */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly exitCode: 1 | 2

  constructor(message: string, options: { exitCode: 1 | 2; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.exitCode = options.exitCode
  }
}
