// Holds the place of handlers that are still to be written.
import { Refusal } from '../refusal.ts'

/** Answers 501. */
export function unserved(): never {
  throw new Refusal(501, { message: '501 Not Implemented' })
}
