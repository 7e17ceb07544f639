// How a job's data and error texts are written so that both stores can hold them: PostgreSQL refuses NUL characters and lone surrogates.

const ESCAPED = '~json'
const REFUSED = /\\u(0000|d[89a-f][0-9a-f]{2})/i
const LONGEST_TEXT = 4_000

/** The data as it is stored: itself, or its JSON text where it carries characters that a store would refuse. */
export function encodeData(data: unknown): unknown {
  const text = JSON.stringify(data ?? null)
  return REFUSED.test(text) || isEscaped(data) ? { [ESCAPED]: text } : (data ?? null)
}

/** The data as it was given. */
export function decodeData(stored: unknown): unknown {
  return isEscaped(stored) ? JSON.parse(stored[ESCAPED]) : stored
}

/** A text for people, cut, and without the characters that a store would refuse. */
export function storableText(text: string): string {
  return Buffer.from(text.slice(0, LONGEST_TEXT), 'utf8').toString('utf8').replaceAll('\0', '\u2400')
}

function isEscaped(value: unknown): value is { [ESCAPED]: string } {
  return typeof value === 'object' && value !== null && ESCAPED in value && typeof value[ESCAPED] === 'string'
}
