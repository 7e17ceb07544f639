// What is said of one setting, and how it is read.

export interface Setting<T> {
  variable: string
  flag: string
  doc: string
  /** Who has a reason to set it, as docs/configuration.md says. */
  neededBy: string
  /** As shown by --help. */
  example?: string
  /** Undefined: required. */
  default?: string
  /** Required only where none of these other settings is given; then an empty text. */
  insteadOf?: readonly string[]
  secret?: boolean
  /** Reads the text; throws an Error whose message says what is expected. */
  read: (text: string) => T
}

/** The record itself, typed by what it reads. */
export function setting<T>(record: Setting<T>): Setting<T> {
  return record
}
