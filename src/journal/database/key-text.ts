// Names and ids that others choose, as indexed columns hold them.
import { hash } from 'node:crypto'

/** An entry of an index takes at most 2,704 bytes, and a character at most three. */
const LONGEST = 600

/** Without the characters that PostgreSQL refuses (NUL, lone surrogates); a text that is too long becomes its hash. */
export function keyText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return escaped.length <= LONGEST ? escaped : `sha256 ${hash('sha256', escaped)}`
}

/** The text of a key that was not too long. */
export const textOfKey = (key: string): string => JSON.parse(`"${key}"`) as string
