// One setting: its variable and flag, its documentation, and how its text is parsed.
import { InvalidArgumentError } from 'commander'

export interface Setting<T> {
  variable: string
  flag: string
  doc: string
  /** When to set it, for docs/configuration.md. */
  setWhen: string
  /** Shown by --help. */
  example?: string
  /** Undefined: required. */
  default?: string
  secret?: boolean
  /** Parses the text; throws an Error whose message says what is expected. */
  read: (text: string) => T
}

/** What a parser expected, by the error that it threw: `expected a port`. */
export function expectation(error: unknown): string {
  return `expected ${error instanceof Error ? error.message : 'another value'}`
}

/** The flag is derived from the variable unless given; the default is '' unless given. */
export function setting<T>(record: Omit<Setting<T>, 'flag'> & { flag?: string }): Setting<T> {
  const flag = `--${record.variable.slice('BELLHOP_'.length).toLowerCase().replaceAll('_', '-')}`
  return { flag, default: '', ...record }
}

/** Commander's parser for `read`, which throws an Error whose message says what is expected. */
export function argument<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text)
    } catch (error) {
      throw new InvalidArgumentError(expectation(error))
    }
  }
}
