// What is stored of the body of a confidential delivery: what intake reads of it, without its texts.
import { type Payload, readPayload } from '../../api/hooks.ts'

const notStored = 'the texts of a confidential issue or note, and what Bellhop does not read'

/**
 * The JSON of the read fields, without titles, descriptions and notes: a replay needs no more, as rules read texts from
 * the service. Empty for a body that cannot be read.
 */
export function bodyWithoutTexts(body: string): string {
  const read = readPayload(body)
  if (!read.ok) return ''
  const { object_attributes: attributes, issue, changes, ...rest } = read.payload
  return JSON.stringify({
    ...{ not_stored: notStored, ...rest },
    ...(attributes === undefined ? {} : { object_attributes: withoutTexts(attributes) }),
    ...(issue === undefined ? {} : { issue: withoutTexts(issue) }),
    ...(changes === undefined ? {} : { changes: namesOf(changes) }),
  })
}

function withoutTexts<T extends { title?: unknown; note?: unknown; source?: unknown }>(fields: T) {
  const { title: _title, note: _note, source: _source, ...rest } = fields
  return rest
}

/** The changed fields without their values; of labels also the titles, which are the project’s. */
function namesOf(changes: NonNullable<Payload['changes']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, name === 'labels' ? titlesIn(value) : {}]),
  )
}

function titlesIn(change: unknown): Record<string, unknown> {
  if (typeof change !== 'object' || change === null) return {}
  return Object.fromEntries(
    Object.entries(change).map(([side, labels]) => [
      side,
      Array.isArray(labels) ? labels.map((label) => ({ title: label?.title })) : null,
    ]),
  )
}
