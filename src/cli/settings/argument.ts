// Parses an argument or option of a command as a setting is parsed.
import { InvalidArgumentError } from 'commander'
import { expectation } from './setting.ts'

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
