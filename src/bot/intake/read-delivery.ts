// Summarises a delivery without its texts (CI variables, descriptions); says what is stored of a confidential one.
import { type Payload, readPayload } from '../../api/hooks.ts'
import type { ReadEvent } from './events/event-fields.ts'
import { readEvent } from './events/read-event.ts'
import { isConfidential } from './events/read-issue-event.ts'
import { pathIn } from './events/read-project-event.ts'

export interface DeliverySummary extends ReadEvent {
  /** Equal for two deliveries of one event. */
  content?: string | undefined
  /** The path of the event's project. */
  projectPath?: string | undefined
  /** The journal stores the body without its texts. */
  confidential?: true
}

/** `reason`: a sentence that does not quote the body. */
export function readDelivery(
  body: string,
  receivedAt: string,
): { ok: true; summary: DeliverySummary } | { ok: false; reason: string } {
  const read = readPayload(body)
  if (!read.ok) return read
  const { payload, content } = read
  const about = readEvent(payload, receivedAt)
  const { project } = about.event
  // For a fork's pipeline the payload's project may be the fork.
  const projectPath = project === undefined || project === payload.project?.id ? pathIn(payload) : undefined
  const confidential = isConfidential(payload) ? { confidential: true as const } : {}
  return { ok: true, summary: { ...about, projectPath, content, ...confidential } }
}

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

/** The changed fields without their values. */
const namesOf = (changes: NonNullable<Payload['changes']>) =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, {}]))
