// How job data is stored: with a version, and without the characters that PostgreSQL refuses.

/**
 * The newest version that this Bellhop knows. Raise it when an older Bellhop would misread a job; write jobs that it
 * reads correctly as the older version. Every recorded version must stay readable (test/queue/bullmq/recorded).
 */
export const JOB_VERSION = 1

const LONGEST_TEXT = 4_000

/** `text` is the data as JSON, where PostgreSQL would refuse its characters. */
export type StoredData = { v: number } & ({ data: unknown } | { text: string })

export function encodeData(data: unknown): StoredData {
  return isStorable(data) ? { v: JOB_VERSION, data: data ?? null } : { v: JOB_VERSION, text: JSON.stringify(data) }
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

/** True for a job of a newer Bellhop: this one cannot know what it means. */
export function isNewer({ v }: StoredData): boolean {
  return v > JOB_VERSION
}

/** A text for people, cut to 4,000 characters, in a form that PostgreSQL accepts. */
export function storableText(text: string): string {
  return Buffer.from(text.slice(0, LONGEST_TEXT), 'utf8').toString('utf8').replaceAll('\0', '\u2400')
}
