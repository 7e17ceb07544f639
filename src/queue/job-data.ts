// How a job's data and error texts are written: with the version of what they mean, and so that both stores can hold them (PostgreSQL refuses NUL characters and lone surrogates).

/**
 * The newest that is known. Raised when a job means something that the version before would do wrongly: jobs that do not are written as that one's.
 * What each version wrote must still be read (test/queue/recorded).
 */
export const JOB_VERSION = 3
const SINCE_BODY_IS_NAME = 2
const SINCE_BODY_IS_APART = 3

const LONGEST_TEXT = 4_000

/**
 * `text` is the data as JSON, where it carries characters that a store would refuse. `bodyIsName`, since version 2: the data's body is the job's
 * name, which stores and gives back a text as it is, while data is written and read as JSON (docs/decisions/0034). `bodyApart`, since version 3:
 * the data's body has so many bytes, and stands beside the job (docs/decisions/0035).
 */
export type Stored = { v: number; bodyIsName?: true; bodyApart?: number } & ({ data: unknown } | { text: string })

/** The data as it is stored. `bodyApart` is how many bytes its body has where that stands beside the job. */
export function encodeData(data: unknown, { bodyIsName = false, bodyApart }: { bodyIsName?: boolean; bodyApart?: number } = {}): Stored {
  // A store that takes names as they are takes any text.
  const stored = bodyIsName || bodyApart !== undefined || isStorable(data) ? { data: data ?? null } : { text: JSON.stringify(data) }
  if (bodyApart !== undefined) return { v: SINCE_BODY_IS_APART, bodyApart, ...stored }
  return bodyIsName ? { v: SINCE_BODY_IS_NAME, bodyIsName, ...stored } : { v: 1, ...stored }
}

/** Its strings are looked at as they are: BullMQ writes the JSON, and to write a body that is in it twice would take a sixth of what an add takes. */
function isStorable(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed() && !data.includes('\0')
  if (typeof data !== 'object' || data === null) return true
  return Object.entries(data).every(([key, each]) => isStorable(key) && isStorable(each))
}

/** The data as it was given, of a job as the store gives it; without a body that stands beside the job. */
export function decodeData({ data: stored, name }: { data: Stored; name: string }): unknown {
  const data = 'text' in stored ? JSON.parse(stored.text) : stored.data
  return stored.bodyIsName ? { ...data, body: name } : data
}

/** A newer Bellhop's job: only that one knows what it means. */
export function isNewer({ v }: Stored): boolean {
  return v > JOB_VERSION
}

/** A text for people, cut, and without the characters that a store would refuse. */
export function storableText(text: string): string {
  return Buffer.from(text.slice(0, LONGEST_TEXT), 'utf8').toString('utf8').replaceAll('\0', '\u2400')
}
