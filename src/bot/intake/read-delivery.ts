// Summarises a delivery's body as JSON without its texts (CI variables, descriptions), which may be stored longer.
import { readPayload } from '../../api/hooks.ts'
import type { ReadEvent } from './events/concern.ts'
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
