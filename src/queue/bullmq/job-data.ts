// How job data is stored: without the characters that PostgreSQL refuses.

const LONGEST_TEXT = 4_000

/** `text` is the data as JSON, if PostgreSQL would refuse its characters. */
export type StoredData = { data: unknown } | { text: string }

export function encodeData(data: unknown): StoredData {
  return isStorable(data) ? { data: data ?? null } : { text: JSON.stringify(data) }
}

/** Walks the values: writing a large body as JSON just to search it costs more. */
function isStorable(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed() && !data.includes('\0')
  if (typeof data !== 'object' || data === null) return true
  return Object.entries(data).every(([key, each]) => isStorable(key) && isStorable(each))
}

export function decodeData(stored: StoredData): unknown {
  return 'text' in stored ? JSON.parse(stored.text) : stored.data
}

/** A text for people, cut to 4,000 characters, in a form that PostgreSQL accepts. */
export function storableText(text: string): string {
  return Buffer.from(text.slice(0, LONGEST_TEXT), 'utf8').toString('utf8').replaceAll('\0', '\u2400')
}
